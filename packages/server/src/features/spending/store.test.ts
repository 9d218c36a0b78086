import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { explaining, type PlanNode, rowsRead } from '../../testing/explaining.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import type { SpendingFilter } from './spent.ts'
import { listSpending, listSpendingAfter } from './store.ts'

const PAGE = 100
const JOBS = 4_000
const OTHERS = 16_000

let database: TestDatabase
/** An owner with a fifth of all jobs, a tenth of them with one agent, where every other owner has one. */
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.transaction(async (tx) => {
    // Their agents and owners are not read here, and need not exist.
    await tx.run(sql`set local session_replication_role = 'replica'`)
    await tx.run(sql`
      insert into jobs (id, agent_id, client_id, seller_id, client_wallet, seller_wallet, agent_wallet, title, description,
        category, attachments, payment_method, price_micro, fee_micro, net_micro, aml_flagged, counts, created_at, fund_by)
      select 'c' || n, 'agent' || n % 10, case when n <= ${JOBS} then 'buyer' else 'owner' || n end, 'seller', '0xa', '0xb', '0xc', 'Reconcile', 'All of it.',
        'finance', '{}', 'X402', 5000000, 0, 5000000, false, true, now(), now() from generate_series(1, ${JOBS + OTHERS}) n`)
    await tx.run(sql`set local session_replication_role = 'origin'`)
    await tx.run(sql`
      insert into journal_entries (id, kind, at, job_id)
      select 'j' || n, 'x402', now() - n * interval '1 minute', 'c' || n from generate_series(1, ${JOBS + OTHERS}) n`)
    await tx.run(sql`
      insert into journal_postings
      select 'j' || n, account, amount from generate_series(1, ${JOBS + OTHERS}) n,
        (values ('wallet:0xc', 5000000), ('wallet:0xa', -5000000)) posting (account, amount)`)
  })
})
afterAll(() => database.close())

type List = (db: TestDatabase['db'], filter: SpendingFilter) => Promise<unknown>

const lists: [string, List][] = [
  ['a page', (db, filter) => listSpending(db, filter, { limit: PAGE, offset: 0 })],
  ['a batch of the export', (db, filter) => listSpendingAfter(db, filter, { after: undefined, limit: PAGE })],
]

/** How many rows a list is made of. */
async function rowsOf(list: List, filter: Partial<SpendingFilter> = {}) {
  const plans: PlanNode[] = []
  await list(explaining(database.db, plans), { ownerId: 'buyer', ...filter })
  const read = rowsRead(plans)
  const rowsIn = (table: string): number => read[table] ?? 0
  return {
    passed: rowsIn('spending_entries'),
    entries: rowsIn('journal_entries'),
    jobs: rowsIn('jobs'),
  }
}

const asShown = { passed: PAGE, entries: PAGE, jobs: PAGE }

test.each(lists)('%s looks up what it shows before there are any statistics', async (_, list) => {
  expect(await rowsOf(list)).toMatchObject({ entries: PAGE, jobs: PAGE })
})

/** How many owners the planner takes for granted; a negative number is a share of all entries. */
const assumed: [string, Sql][] = [
  ['one entry of each owner', sql`-1`],
  ['hundreds of each', sql`100`],
  ['all of one owner', sql`1`],
]

test.each(assumed)('a list reads no other spending where the planner expects %s', async (_, owners) => {
  const { db } = database
  await db.transaction(async (tx) => {
    // Vacuum takes for visible to all only what was written to disk before.
    await tx.run(sql`set local synchronous_commit = 'on'`)
    await tx.run(sql`alter table spending_entries alter column owner_id set (n_distinct = ${owners})`)
  })
  await db.run(sql`vacuum analyze spending_entries, journal_entries, journal_postings, jobs`)
  for (const [, list] of lists) expect(await rowsOf(list)).toEqual(asShown)
})

test.each(lists)('%s of one agent or to the platform passes over nothing else', async (_, list) => {
  expect(await rowsOf(list, { agentId: 'agent7' })).toEqual(asShown)
  const none = { passed: 0, entries: 0, jobs: 0 }
  expect(await rowsOf(list, { agentId: 'nobody' })).toEqual(none)
  expect(await rowsOf(list, { kind: 'SUBSCRIPTION' })).toEqual(none)
})
