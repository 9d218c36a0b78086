import { call } from './actions/call.ts'
import { actions } from './actions.ts'
import type { ClientClock, Core, RetryPolicy, Session } from './core.ts'
import type { EndpointId, Request, ResponseOf } from './endpoints.ts'
import { randomKey } from './randomKey.ts'
import type { Signer, SigningRequest } from './signer.ts'
import { defaultRetryPolicy } from './transport/retry.ts'

export interface MarketplaceClientOptions {
  /** Where the service is, for example `http://localhost:4000`. */
  baseUrl: string
  /** The service's own address, where `baseUrl` is another way to it: a sign-in names this one. */
  publicUrl?: string | undefined
  /** Who calls: any viem account, or a wallet's address and its two ways to sign. Without it only public calls work. */
  account?: Signer | undefined
  /** Instead of signing in. Payments still need the account. */
  apiKey?: string | undefined
  /** A session that was kept, and where to keep the next one. */
  session?: Session | undefined
  /**
   * For a page of the service's own site: the session lives in the browser's HttpOnly cookie, so that no script can read
   * its token. `resumeSession` finds it after a reload. Nothing signs in by itself then: a wallet opens only on `signIn`.
   */
  cookieSession?: boolean | undefined
  onSession?: ((session: Session | undefined) => void) | undefined
  /** Sees everything that is about to be signed, after the client has checked it. What it throws stops the signature. */
  onSign?: ((request: SigningRequest) => void | Promise<void>) | undefined
  fetch?: typeof fetch | undefined
  /** How long one attempt may take, and how long a live stream may stay silent. Defaults to a minute. */
  timeoutMs?: number | undefined
  retry?: Partial<RetryPolicy> | undefined
  clock?: ClientClock | undefined
  random?: (() => number) | undefined
  newKey?: (() => string) | undefined
}

type Actions = typeof actions

type Bound<Action> = Action extends (core: Core, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never

export type MarketplaceClient = { [Name in keyof Actions]: Bound<Actions[Name]> } & {
  /** Calls any endpoint of the service by its name. */
  call<Id extends EndpointId>(
    id: Id,
    ...request: object extends Request<Id> ? [Request<Id>?] : [Request<Id>]
  ): Promise<ResponseOf<Id>>
}

/**
 * A client of the marketplace. It signs in by itself, repeats what is safe to repeat, and signs payments only for what
 * you agreed to.
 *
 * @example
 * const marketplace = createMarketplaceClient({ baseUrl: 'http://localhost:4000', account: privateKeyToAccount(key) })
 * const job = await marketplace.hire({ agentId, title, description, agreedPrice: usdc('12.50') })
 */
export function createMarketplaceClient(options: MarketplaceClientOptions): MarketplaceClient {
  const core = createCore(options)
  const bound = Object.entries(actions).map(([name, action]) => [
    name,
    (...rest: unknown[]) => (action as (core: Core, ...rest: unknown[]) => unknown)(core, ...rest),
  ])
  return {
    ...(Object.fromEntries(bound) as { [Name in keyof Actions]: Bound<Actions[Name]> }),
    call: (id, ...request) => call(core, id, ...request),
  }
}

function createCore(options: MarketplaceClientOptions): Core {
  return {
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    publicUrl: options.publicUrl,
    account: options.account,
    apiKey: options.apiKey,
    usesCookie: options.cookieSession ?? false,
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    timeoutMs: options.timeoutMs ?? 60_000,
    retry: { ...defaultRetryPolicy, ...options.retry },
    clock: options.clock ?? realClock,
    random: options.random ?? Math.random,
    newKey: options.newKey ?? randomKey,
    onSession: options.onSession ?? (() => {}),
    onSign: options.onSign ?? (() => {}),
    memory: {
      session: options.session,
      signingIn: undefined,
      config: undefined,
      openPayments: new Map(),
    },
  }
}

const realClock: ClientClock = {
  nowMs: () => Date.now(),
  sleep: (durationMs, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const end = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end)
        resolve()
      }, durationMs)
      signal?.addEventListener('abort', end, { once: true })
    }),
}
