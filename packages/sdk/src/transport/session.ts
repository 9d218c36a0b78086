import type { Core, Session } from '../core.ts'
import { MarketplaceError } from '../errors.ts'
import { openSession } from './openSession.ts'

/** A session is renewed before it expires, so that no token expires during a call. */
const RENEW_BEFORE_END_MS = 60_000

/** The credential of a call. A public call takes along what is there; any other one signs in first. */
export async function findToken(
  core: Core,
  isPublic: boolean,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (core.apiKey !== undefined) return core.apiKey
  const live = liveSession(core)
  if (live || isPublic) return live?.token
  if (core.usesCookie) throw new MarketplaceError('UNAUTHORIZED', { message: 'Sign in first.' })
  const { token } = await signInOnce(core, signal)
  return token
}

/** True when there was such a session and another one can be opened. */
export function forgetToken(core: Core, token: string | undefined): boolean {
  if (token === undefined || core.account === undefined || token === core.apiKey) return false
  if (core.memory.session?.token === token) setSession(core, undefined)
  return !core.usesCookie
}

/** Calls that start together share one sign-in. */
export async function signInOnce(core: Core, signal?: AbortSignal): Promise<Session> {
  const { memory } = core
  memory.signingIn ??= signIn(core).finally(() => {
    memory.signingIn = undefined
  })
  const session = await memory.signingIn
  signal?.throwIfAborted()
  return session
}

async function signIn(core: Core): Promise<Session> {
  if (!core.account) {
    throw new MarketplaceError('UNAUTHORIZED', {
      message: 'This call needs an account: give createMarketplaceClient one, or an API key.',
    })
  }
  const session = await openSession(core, core.account)
  setSession(core, session)
  return session
}

export function setSession(core: Core, session: Session | undefined): void {
  core.memory.session = session
  core.onSession(session)
}

function liveSession({ memory: { session }, clock }: Core): Session | undefined {
  if (!session || session.expiresAtMs - RENEW_BEFORE_END_MS <= clock.nowMs()) return undefined
  return session
}
