import { setTimeout as delay } from 'node:timers/promises'
import { createSteadyClient } from '../../steady/steady-client.ts'
import type { Api, Door } from './door.ts'
import { newWallet } from './people.ts'

/** More lanes and longer holding: more tokens that both processes know when a fault begins. */
const LANES = 4
const HOLDING_MS = 1_500
/** The other process may be down, or without a database, for as long as an outage lasts. */
const REJECTION_LIMIT_MS = 120_000
/** Each try comes later by a tenth, so that a caller stays below 100 requests a minute. */
const FIRST_PAUSE_MS = 20
const PAUSE_SHARE = 0.1

export interface SignOut {
  /** From the acknowledged sign-out until the other process returned 401: with the outage, where there was one. */
  rejectedAfterMs: number
  /** For so long at most the other process accepted the token. */
  acceptedForMs: number
}

export interface SignOuts {
  all: readonly SignOut[]
  stop(): Promise<void>
}

/** Signs in and out at one API process, with a token that another one has just accepted, and measures until that rejects it. */
export function startSignOuts(apis: readonly Api[], door: Door): SignOuts {
  const all: SignOut[] = []
  let isOver = false
  let count = 0

  async function signOut(here: Api, there: Api): Promise<void> {
    count += 1
    // Each from an address of its own: the limits are by address.
    const address = `10.101.${(count >> 8) & 255}.${count & 255}`
    const sendTo = (api: Api) => (path: string, init: RequestInit) => door.sendTo(api, address, path, init)
    const client = await createSteadyClient({
      wallet: newWallet(),
      figures: { acknowledged: 0, repeated: 0 },
      send: sendTo(here),
      beforeRepeat: door.beforeRepeat,
      // One whose response was lost has used its nonce up: the next turn signs in again.
    }).catch(() => undefined)
    if (!client) return
    const statusThere = async (): Promise<number | undefined> => {
      const headers = { authorization: `Bearer ${client.token}` }
      const response = await sendTo(there)('/api/auth/session', { headers }).catch(() => undefined)
      return response?.status
    }
    const before = await statusThere()
    await delay(HOLDING_MS)
    if (before === 401) throw new Error(`${there.name} did not accept its token`)
    // A process that does not know the token has nothing to forget.
    if (before !== 200) return
    // One that is repeated finds its session ended: 401.
    const { status } = await client.post('/api/auth/logout', {})
    if (status !== 200 && status !== 401) throw new Error(`the sign-out returned ${status}`)
    all.push(await untilRejected(statusThere))
  }

  const run = async (lane: number): Promise<void> => {
    for (let turn = lane; !isOver; turn += 1) {
      const [here, there] = [apis[turn % apis.length] as Api, apis[(turn + 1) % apis.length] as Api]
      await signOut(here, there).catch((error) => door.problems.push(`a sign-out at ${here.name}: ${error}`))
    }
  }
  const running = Promise.all(Array.from({ length: LANES }, (_, lane) => run(lane)))

  return {
    all,
    async stop() {
      isOver = true
      await running
    },
  }
}

async function untilRejected(statusThere: () => Promise<number | undefined>): Promise<SignOut> {
  const startMs = performance.now()
  let acceptedForMs = 0
  for (;;) {
    const status = await statusThere()
    const sinceMs = performance.now() - startMs
    if (status === 401) return { rejectedAfterMs: sinceMs, acceptedForMs }
    if (status === 200) acceptedForMs = sinceMs
    if (sinceMs > REJECTION_LIMIT_MS) throw new Error('its token was not rejected')
    await delay(Math.max(FIRST_PAUSE_MS, sinceMs * PAUSE_SHARE))
  }
}
