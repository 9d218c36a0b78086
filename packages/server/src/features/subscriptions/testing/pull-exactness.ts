import { type FaultPoint, faultPoints } from '../../../money/faults.ts'
import type { ChaosChain } from '../../../money/testing/chaos-chain.ts'
import { createSeededRandom } from '../../../money/testing/seeded-random.ts'
import type { Database } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import { usesOf } from './pulled-from.ts'
import type { SubscriptionsApi } from './start-subscriptions-on.ts'
import { PERIOD } from './subscribers.ts'

export interface PullExactness {
  /** Pulls on the chain, in the books and in the journal: each should be subscriptions × periods. */
  pullsOnChain: number
  pullsInBooks: number
  entriesInJournal: number
  /** Periods that an account was pulled for more than once, or not at all. */
  extra: number
  missing: number
  crashes: number
  /** Rules of the books that do not hold at the end. */
  breaches: number
}

/** Every crash is at a random step of the engine; the points of a rollback are never reached without a fork. */
const crashPoints = faultPoints.filter((point) => !point.startsWith('rollback'))

/**
 * Two workers at once on all subscriptions, each killed at random steps and started again, for so many periods of travelled
 * time; then chain, books and journal are counted.
 */
export async function measurePullExactness(
  api: SubscriptionsApi,
  {
    subscriptions: count,
    periods,
    seed,
    crashChance = 0.7,
  }: { subscriptions: number; periods: number; seed: number; crashChance?: number },
): Promise<PullExactness> {
  const { db, chaos } = api
  const random = createSeededRandom(seed)
  let crashes = 0

  const startMortal = () => {
    const deadlyPoint: FaultPoint | undefined = random.chance(crashChance)
      ? random.pick(crashPoints)
      : undefined
    const reach = (point: FaultPoint) => {
      if (point !== deadlyPoint) return
      crashes += 1
      throw new Error(`killed at ${point}`)
    }
    return api.startWorker({ moneyOptions: { faults: { reach } } })
  }

  /** One life of a worker: as far as it gets. */
  const live = async (): Promise<void> => {
    const worker = await startMortal()
    try {
      await worker.tick('subscriptions')
      await worker.money.runUntilIdle(10)
    } catch {
      // It is dead; another one will take over.
    }
    await worker.close()
  }

  const isDone = async (): Promise<boolean> => {
    const { open } = await db.one<{ open: bigint }>(sql`
      select (select count(*) from intents where status in ('PENDING', 'SUBMITTED'))
        + (select count(*) from subscriptions where next_pull_at <= ${api.clock.now()}) as open`)
    return open === 0n
  }

  const subscribeAll = async (): Promise<void> => {
    const start = chaos.now() + 3600
    for (let index = 0; index < count; index += 1) {
      const subscriber = await api.newSubscriber(1_000_000_000n)
      const { statusCode, body } = await api.subscribe(subscriber, await subscriber.body({ start }))
      if (statusCode !== 201) throw new Error(`subscribing returned ${statusCode}: ${body}`)
    }
    await chaos.mine(start - chaos.now())
  }

  await subscribeAll()
  for (let period = 0; period < periods; period += 1) {
    if (period > 0) await chaos.mine(PERIOD)
    while (!(await isDone())) {
      // Periods end by the time of the books: the indexer has read the blocks that passed.
      await api.money.readOn()
      await Promise.all([live(), live()])
      // What was prepared and not stored waits out a short pause, which a test need not.
      await db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)
    }
  }
  const breaches = (await api.breaches()).length
  return { crashes, breaches, ...(await countPulls(db, chaos, { count, periods })) }
}

async function countPulls(
  db: Database,
  chaos: ChaosChain,
  { count, periods }: { count: number; periods: number },
): Promise<Omit<PullExactness, 'crashes' | 'breaches'>> {
  const uses = await usesOf(chaos)
  const paid = new Set(uses.map(({ hash, periodStart }) => `${hash}:${periodStart}`))
  const { books, entries } = await db.one<{ books: bigint; entries: bigint }>(sql`
    select (select count(*) from subscription_pulls where status = 'SETTLED') as books,
      (select count(*) from journal_entries where kind = 'subscription.pull' and reverses is null) as entries`)
  return {
    pullsOnChain: uses.length,
    pullsInBooks: Number(books),
    entriesInJournal: Number(entries),
    extra: uses.length - paid.size,
    missing: count * periods - paid.size,
  }
}
