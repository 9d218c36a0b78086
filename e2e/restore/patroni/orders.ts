import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from '../../failover/cluster/cluster.ts'
import type { Pair } from '../../failover/traffic/people.ts'
import { waitFor } from '../../failover/wait.ts'
import { tellStory } from '../../steady/story.ts'

const FAILOVER_LIMIT_MS = 120_000
const BETWEEN_HIRES_MS = 300

/** Jobs from hire to payout, on both rails in turn, at prices that are not round. */
export async function tellStories({ cast, ledger }: Pair, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const seedMicro = BigInt(ledger.told.length * 7_919)
    ledger.told.push(await tellStory(cast, (index % 2 === 0 ? 100_000_000n : 1_000_000n) + seedMicro))
  }
}

/** Jobs that nobody pays: they are in the database alone, and the chain does not know them. */
export async function hire({ cast, ledger }: Pair, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const { status, body } = await cast.buyer.post('/api/jobs', {
      agentId: cast.agentId,
      title: `Order ${ledger.hired.length}`,
      description: 'Which must not be lost.',
      agreedPrice: '1000000',
    })
    if (status !== 201) throw new Error(`hiring returned ${status}: ${JSON.stringify(body)}`)
  }
}

/** Kills the primary and its Patroni while jobs are hired, until another one has taken over and both others follow. */
export async function failOver({ postgres }: Cluster, pair: Pair): Promise<void> {
  const former = await postgres.primary()
  let isOver = false
  const hiring = (async () => {
    while (!isOver) {
      await hire(pair, 1)
      await delay(BETWEEN_HIRES_MS)
    }
  })()
  // It is awaited below; until then another step may fail first.
  hiring.catch(() => undefined)
  await hire(pair, 3)
  await postgres.killMachine(former)
  await waitFor('another primary', FAILOVER_LIMIT_MS, async () => (await postgres.primary()) !== former)
  await hire(pair, 1)
  isOver = true
  await hiring
  postgres.start(former)
  await postgres.untilWhole()
}
