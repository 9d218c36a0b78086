import { startChaosChain } from '../../../money/testing/chaos-chain.ts'
import { sql } from '../../../platform/db/sql.ts'
import { PATIENCE_MS } from '../../../testing/patience.ts'
import type { TestDatabase } from '../../../testing/test-database.ts'
import { startWorldOn } from '../../../testing/world/start-world-on.ts'
import { pulledFrom } from './pulled-from.ts'
import { createSubscribers } from './subscribers.ts'

export type SubscriptionsApi = Awaited<ReturnType<typeof startSubscriptionsOn>>
export type Subscriber = Awaited<ReturnType<SubscriptionsApi['newSubscriber']>>

/** How many agents each subscriber has; all but the first wait for a quota. */
const AGENTS = 60

interface Caller {
  headers: Record<string, string>
}

export interface SubscriptionsOptions {
  /** How long an order waits for its first payment; with 0 it is decided, and the engine works when a test says so. */
  waitMs?: number
  isWorking?: boolean
}

/** A world on a chain that can reorganise, with subscribers who have more agents than the free tier runs. */
export async function startSubscriptionsOn(
  database: TestDatabase,
  { waitMs = PATIENCE_MS, isWorking = false }: SubscriptionsOptions = {},
) {
  const chaos = await startChaosChain()
  const world = await startWorldOn(database, {
    chain: chaos,
    settlementWaitMs: waitMs,
    isWorking,
    moneyOptions: {
      settings: {
        batchSize: 10,
        leaseSeconds: 0,
        resendAfterSeconds: 0,
        replaceAfterSeconds: 600,
        pollMs: 5,
      },
    },
  })
  const { db, http } = world
  const subscribers = await createSubscribers({
    chaos,
    execute: world.execute,
    async newOwner(wallet) {
      const owner = await world.newOwner({ wallet, kycStatus: 'VERIFIED' })
      await db.run(sql`
        insert into agents (id, owner_id, wallet_address, provider_wallet_id, name, description, category, category_key,
          skills, skill_keys, services, lowest_price_micro, x402_enabled, owner_active, approval_status, paused_by, created_at)
        select ${owner.ownerId} || n, ${owner.ownerId}, ${wallet.address.toLowerCase()} || n, n::text, 'Agent ' || n,
          'Counts.', 'art', 'art', '{}', '{}', '[]', 0, true, true, 'APPROVED', case when n > 1 then 'QUOTA' end,
          ${world.clock.now()}::timestamptz + n * interval '1 second'
        from generate_series(1, ${AGENTS}::integer) n`)
      return owner
    },
  })

  const path = '/api/owners/subscription'
  /** A call waits for the chain: the engine works meanwhile. */
  const call = (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    caller: Caller,
    { payload, headers = {} }: { payload?: object; headers?: Record<string, string> } = {},
  ) => {
    const response = http.inject({
      method,
      url,
      headers: { ...caller.headers, ...headers },
      ...(payload ? { payload } : {}),
    })
    return method === 'GET' || waitMs === 0 ? response : world.whileWorking(response)
  }

  /** Reads the chain, as the indexer does all the time, then decides what falls due by the books. */
  const runDue = async (): Promise<void> => {
    await world.money.readOn()
    await world.tick('subscriptions')
  }

  return {
    ...world,
    ...subscribers,
    chaos,

    subscribe: (caller: Caller, payload: object, headers?: Record<string, string>) =>
      call('POST', `${path}/onchain`, caller, { payload, ...(headers ? { headers } : {}) }),
    upgrade: (caller: Caller, payload: object, headers?: Record<string, string>) =>
      call('POST', `${path}/onchain/upgrade`, caller, { payload, ...(headers ? { headers } : {}) }),
    cancel: (caller: Caller, query = '') => call('DELETE', `${path}/onchain${query}`, caller),
    read: (caller: Caller, query = '') => call('GET', `${path}${query}`, caller),
    list: (caller: Caller) => call('GET', `${path}s`, caller),
    quote: (caller: Caller, query: string) => call('GET', `${path}/quote?${query}`, caller),

    runDue,

    /** Moves time, then does what falls due and carries it out. */
    async advance(seconds: number): Promise<void> {
      await chaos.mine(seconds)
      await runDue()
      await world.runUntilIdle()
    },

    pulledFrom: (account: string) => pulledFrom({ db, chaos }, account),

    /** What the owner was notified of, beside what happened to agents. */
    told: async (ownerId: string): Promise<string[]> => {
      const notifications = await world.notificationsOf(ownerId)
      return notifications.map(({ type }) => type).filter((type) => !type.startsWith('AGENT_'))
    },

    /** How many of the owner's agents run. */
    async runningAgents(ownerId: string): Promise<number> {
      const { running } = await db.one<{ running: bigint }>(
        sql`select count(*) as running from agents where owner_id = ${ownerId} and paused_by is null`,
      )
      return Number(running)
    },

    /** Whether the owner's agents are marked as premium, once what has run out is cleared. */
    async isPremium(ownerId: string): Promise<boolean> {
      await world.tick('agents-upkeep')
      const { isPremium } = await db.one<{ isPremium: boolean }>(
        sql`select bool_and(is_premium) as "isPremium" from agents where owner_id = ${ownerId}`,
      )
      return isPremium
    },

    async close() {
      await world.close()
      await chaos.close()
    },
  }
}
