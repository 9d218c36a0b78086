// Measures job creation: its SQL against a transaction of six round trips, and the whole call against the peer.
// Run: node bench/jobs.bench.ts
import { createTokens } from '../packages/server/src/features/sessions/tokens.ts'
import { wallClock } from '../packages/server/src/platform/clock/clock.ts'
import { agentIdOf, OWNER_COUNT, openBenchDatabase, ownerIdOf } from './agents-seed.ts'
import { withContenders } from './contenders/contenders.ts'
import { compareSqlWork } from './jobs-sql.ts'
import { compare, type Load } from './measuring/compare.ts'
import { atLeast, printRows, type Row } from './measuring/rows.ts'
import { benchSecret } from './measuring/sample.ts'

const AGENT_COUNT = 10_000
const CLIENT_COUNT = 64
const sqlWork = 'job creation, SQL work, 64 at once'

async function tokensOf(clientIds: readonly string[]): Promise<string[]> {
  const tokens = createTokens({ secret: benchSecret, clock: wallClock })
  const issuedAt = new Date()
  const expiresAt = new Date(issuedAt.getTime() + 3_600_000)
  return Promise.all(
    clientIds.map((ownerId) =>
      tokens.sign({ sessionId: `session of ${ownerId}`, ownerId, issuedAt, expiresAt }),
    ),
  )
}

/** Hires by many owners of many agents at the price that `priceOf` names. */
async function hires(priceOf: (turn: number) => string, isKeyed = false): Promise<Load> {
  const tokens = await tokensOf(Array.from({ length: CLIENT_COUNT }, (_, index) => ownerIdOf(index)))
  let turn = 0
  return {
    connections: CLIENT_COUNT,
    next() {
      turn += 1
      return {
        path: '/api/jobs',
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${tokens[turn % tokens.length]}`,
          ...(isKeyed ? { 'idempotency-key': `bench-${process.hrtime.bigint()}` } : {}),
        },
        body: JSON.stringify({
          agentId: agentIdOf(1 + ((turn * 7) % AGENT_COUNT)),
          title: `Reconcile month ${turn}`,
          description:
            'Match 1,204 transfers with the attached invoices, and say which of them are missing. '.repeat(2),
          category: 'finance',
          agreedPrice: priceOf(turn),
          deadlineHours: 72,
        }),
      }
    },
  }
}

/** P5. */
export async function benchJobs(): Promise<Row[]> {
  const database = await openBenchDatabase()
  try {
    await database.growTo(AGENT_COUNT)
    const work = await compareSqlWork(database.connection, {
      agentCount: AGENT_COUNT,
      ownerCount: OWNER_COUNT,
    })
    return await withContenders(database.connection, ['ours', 'peer'], async ({ ours, peer }) => {
      const mixed = await compare(
        ours,
        peer,
        await hires((turn) => (turn % 2 === 0 ? '5000000' : '150000000')),
      )
      const keyed = await compare(ours, peer, await hires(() => '5000000', true))
      return [
        atLeast('P5', `${sqlWork}, throughput to six round trips`, work.throughput, 4, work.figures),
        atLeast(
          'P5',
          `${sqlWork}, CPU of six round trips to ours, with the database`,
          work.cpu,
          4,
          work.figures,
        ),
        atLeast(
          'P5',
          'POST /api/jobs, 64 clients, throughput to the peer',
          mixed.throughput,
          6,
          mixed.figures,
        ),
        atLeast('P5', 'POST /api/jobs, 64 clients, CPU of the peer to ours', mixed.cpu, 6, mixed.figures),
        atLeast(
          'P5',
          'the same with an Idempotency-Key, which the peer ignores, throughput',
          keyed.throughput,
          6,
          keyed.figures,
        ),
        atLeast('P5', 'the same, CPU of the peer to ours', keyed.cpu, 6, keyed.figures),
      ]
    })
  } finally {
    await database.close()
  }
}

if (import.meta.main) printRows(await benchJobs())
