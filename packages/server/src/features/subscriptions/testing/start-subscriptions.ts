import { startChaosChain } from '../../../money/testing/chaos-chain.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createIdempotency } from '../../../platform/http/once/idempotency.ts'
import { PATIENCE_MS } from '../../../testing/patience.ts'
import { createTestDatabase } from '../../../testing/test-database.ts'
import { createTestHttp, tokenFor } from '../../../testing/test-http.ts'
import { subscriptionsRoutes } from '../routes.ts'
import { createSubscriptionWorld } from './subscription-world.ts'

export type SubscriptionsApi = Awaited<ReturnType<typeof startSubscriptions>>
type Caller = { ownerId: string }

/** Subscriptions over HTTP on a real database and a real EVM, with one worker at work. */
export async function startSubscriptions({ waitMs = PATIENCE_MS } = {}) {
  const [database, chaos] = await Promise.all([createTestDatabase({ poolSize: 25 }), startChaosChain()])
  const { db } = database
  const world = await createSubscriptionWorld({ db, chaos, waitMs })
  const worker = world.startWorker()
  await worker.engine.start()
  const http = await createTestHttp(subscriptionsRoutes({ subscriptions: worker.subscriptions }), {
    db,
    idempotency: createIdempotency({ db, clock: { now: () => new Date() } }),
    rateLimitsEnforced: false,
  })

  const path = '/api/owners/subscription'
  const call = (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    { ownerId }: Caller,
    { payload, headers = {} }: { payload?: object; headers?: Record<string, string> } = {},
  ) => {
    const authorization = `Bearer ${tokenFor({ ownerId, kycStatus: 'VERIFIED' })}`
    return http.app.inject({
      method,
      url,
      headers: { authorization, ...headers },
      ...(payload ? { payload } : {}),
    })
  }

  /** Until nothing waits for the chain any more. */
  const settle = async (): Promise<void> => {
    for (;;) {
      const open = await db.rows<{ id: string }>(
        sql`select id from intents where status in ('PENDING', 'SUBMITTED') order by seq`,
      )
      if (open.length === 0) return
      for (const { id } of open) await worker.engine.intents.waitFor(id, PATIENCE_MS)
    }
  }

  return {
    ...world,
    ...worker,
    db,
    chaos,
    settle,

    subscribe: (caller: Caller, payload: object, headers?: Record<string, string>) =>
      call('POST', `${path}/onchain`, caller, { payload, ...(headers ? { headers } : {}) }),
    upgrade: (caller: Caller, payload: object) =>
      call('POST', `${path}/onchain/upgrade`, caller, { payload }),
    cancel: (caller: Caller, query = '') => call('DELETE', `${path}/onchain${query}`, caller),
    read: (caller: Caller, query = '') => call('GET', `${path}${query}`, caller),
    list: (caller: Caller) => call('GET', `${path}s`, caller),
    quote: (caller: Caller, query: string) => call('GET', `${path}/quote?${query}`, caller),

    /** Moves time, then does what falls due and carries it out. */
    async advance(seconds: number): Promise<void> {
      await chaos.mine(seconds)
      await worker.subscriptions.runDue()
      await settle()
    },

    told: async (ownerId: string): Promise<string[]> => {
      const rows = await db.rows<{ type: string }>(
        sql`select type from notifications where owner_id = ${ownerId} order by seq`,
      )
      return rows.map(({ type }) => type)
    },

    async close() {
      await worker.engine.stop()
      await http.close()
      await database.close()
      await chaos.close()
    },
  }
}
