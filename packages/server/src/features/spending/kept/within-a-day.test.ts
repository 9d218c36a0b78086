import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDayKeeping } from '../../../house/books/kept-days/keeping.ts'
import { sql } from '../../../platform/db/sql.ts'
import { explaining, type PlanNode, rowsRead } from '../../../testing/explaining.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { sumByAgent, sumByKind } from '../store.ts'
import { spendingDays } from './days.ts'

const RUNS = 30
const HOUR_MS = 3600_000
const firstDay = Date.UTC(2026, 9, 1)
const AGENTS = 3
/** In whole units, so that a sum shows what it is made of. */
const PRICE = 5_000_000n

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.transaction(async (tx) => {
    // Agents are named in sums; their owners are not, and need not exist.
    await tx.run(sql`set local session_replication_role = 'replica'`)
    await tx.run(sql`
      insert into agents (id, owner_id, wallet_address, provider_wallet_id, name, description, category, category_key, skills,
        skill_keys, services, lowest_price_micro, x402_enabled, owner_active, search, created_at)
      select 'agent' || n, 'seller', '0x' || n, '', 'Agent ' || n, '', '', '', '{}', '{}', '[]', 0, true, true, '', now()
      from generate_series(0, ${AGENTS - 1}) n`)
  })
})
afterAll(() => database.close())

/** Times are in seconds since the first day. Few are different, so that several jobs share days and moments. */
interface Job {
  agent: number
  paidAt: number
  refundedAt: number | undefined
}

async function post(ownerId: string, posted: readonly Job[]): Promise<void> {
  const { db } = database
  const rows = posted.map((job) => ({ ...job, id: randomUUID() }))
  await db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = 'replica'`)
    await tx.run(sql`
      insert into jobs (id, agent_id, client_id, seller_id, client_wallet, seller_wallet, agent_wallet, title, description,
        category, attachments, payment_method, price_micro, fee_micro, net_micro, aml_flagged, counts, created_at, fund_by)
      select id, 'agent' || agent, ${ownerId}, 'seller', '0xa', '0xb', '0xc', 'Reconcile', 'All of it.', 'finance', '{}',
        'X402', ${PRICE}, 0, ${PRICE}, false, true, now(), now()
      from jsonb_to_recordset(${sql.json(rows)}) as job (id text, agent int)`)
    await tx.run(sql`set local session_replication_role = 'origin'`)
    const moves = rows.flatMap(({ id, paidAt, refundedAt }) => [
      { id, kind: 'x402', at: paidAt, micro: Number(PRICE) },
      ...(refundedAt === undefined
        ? []
        : [{ id, kind: 'x402.refund', at: refundedAt, micro: -Number(PRICE) }]),
    ])
    await tx.run(sql`
      with moved as (
        select *, id || kind as entry_id from jsonb_to_recordset(${sql.json(moves)}) as move (id text, kind text, at int, micro bigint)),
      entries as (
        insert into journal_entries (id, kind, at, job_id)
        select entry_id, kind, ${new Date(firstDay)}::timestamptz + at * interval '1 second', id from moved order by at, kind)
      insert into journal_postings
      select entry_id, account, amount from moved, lateral (
        values ('wallet:0xc', micro), ('wallet:0xa', -micro)) posting (account, amount)`)
  })
}

const keep = (busyAbove: number) => createDayKeeping({ db: database.db, days: spendingDays, busyAbove })()

/** The same by looking at each job. */
function looking(posted: readonly Job[], from: number, to: number) {
  const isIn = (moment: number | undefined) => moment !== undefined && moment >= from && moment < to
  return Array.from({ length: AGENTS }, (_, agent) => {
    const own = posted.filter((job) => job.agent === agent)
    const paid = own.filter(({ paidAt }) => isIn(paidAt)).length
    const refunded = own.filter(({ refundedAt }) => isIn(refundedAt)).length
    const inPeriod = own.filter(({ paidAt, refundedAt }) => isIn(paidAt) || isIn(refundedAt)).length
    return { agentId: `agent${agent}`, jobs: inPeriod, paid, refunded }
  }).filter((one) => one.jobs > 0)
}

const second = fc
  .tuple(
    fc.nat(3),
    fc.constantFrom(0, 1, 10 * 3600, 10 * 3600 + 29, 10 * 3600 + 30, 10 * 3600 + 61, 20 * 3600),
  )
  .map(([day, within]) => day * 24 * 3600 + within)
const job = fc
  .record({ agent: fc.nat(AGENTS - 1), paidAt: second, refundedAt: fc.option(second, { nil: undefined }) })
  .map(({ agent, paidAt, refundedAt }) => ({
    agent,
    paidAt,
    refundedAt: refundedAt === undefined || refundedAt > paidAt ? refundedAt : undefined,
  }))
const period = fc
  .tuple(second, second)
  .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const)

test('a period from within a day counts each job and payment as a look at each does, however days are kept', async () => {
  const { db } = database
  const keepings = fc.array(fc.constantFrom(0, 1, 1_000), { maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(job, { maxLength: 12 }),
      fc.array(job, { maxLength: 4 }),
      keepings,
      fc.array(period, { minLength: 1, maxLength: 6 }),
      async (before, after, kept, periods) => {
        const ownerId = randomUUID()
        await post(ownerId, before)
        for (const busyAbove of kept) await keep(busyAbove)
        await post(ownerId, after)
        const all = [...before, ...after]
        for (const [since, until] of periods) {
          const [from, to] = [since, until].map((at) => new Date(firstDay + at * 1000)) as [Date, Date]
          const expected = looking(all, since, until)
          const byAgent = await sumByAgent(db, { ownerId, from, to })
          const shown = byAgent.map(({ agentId, jobs: count, paidMicro, refundedMicro }) => ({
            agentId,
            jobs: count,
            paid: Number(paidMicro / PRICE),
            refunded: Number(refundedMicro / PRICE),
          }))
          expect(shown.toSorted((a, b) => a.agentId.localeCompare(b.agentId))).toEqual(expected)
          const sum = (field: 'paid' | 'refunded') => expected.reduce((total, one) => total + one[field], 0)
          expect(await sumByKind(db, { ownerId, from, to })).toEqual(
            expected.length === 0
              ? []
              : [
                  {
                    kind: 'JOB',
                    count: sum('paid') + sum('refunded'),
                    paidMicro: BigInt(sum('paid')) * PRICE,
                    refundedMicro: BigInt(sum('refunded')) * PRICE,
                  },
                ],
          )
        }
      },
    ),
    { numRuns: RUNS },
  )
})

test('a period from within a day reads the entries of that part of the day, and no later ones', async () => {
  const { db } = database
  const hours = Array.from({ length: 3_000 }, (_, n) => ({
    agent: 0,
    paidAt: n * 3600,
    refundedAt: undefined,
  }))
  await post('steady', hours)
  await keep(1_000)
  await db.run(sql`vacuum analyze`)
  const plans: PlanNode[] = []
  const from = new Date(firstDay + 20.5 * HOUR_MS)
  await sumByAgent(explaining(db, plans), { ownerId: 'steady', from })
  const read = rowsRead(plans)
  const rowsIn = (table: string): number => read[table] ?? 0
  expect(rowsIn('spending_entries')).toBeLessThanOrEqual(24)
  expect(rowsIn('journal_entries')).toBeLessThanOrEqual(48)
})
