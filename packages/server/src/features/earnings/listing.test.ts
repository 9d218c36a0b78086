import { earningSorts } from '@agent-marketplace/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { walletAccount } from '../../money/books/accounts.ts'
import { sql } from '../../platform/db/sql.ts'
import { explaining, type PlanNode, rowsRead } from '../../testing/explaining.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import type { EarningFilter } from './earned.ts'
import { listEarnings } from './store.ts'

const PAGE = 100
const PAYMENTS = 4_000
const OTHERS = 20_000
const large = walletAccount(`0x${'b1'.repeat(20)}`)
/** Since its last payment much was sent to it that is no income, and as many payments were taken back. */
const flooded = walletAccount(`0x${'b2'.repeat(20)}`)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  // Two accounts have a seventh of all entries each, at one price; every other account has one entry.
  const all = PAYMENTS * 2 + OTHERS
  await database.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into journal_entries (id, kind, at)
      select 'j' || n, case when n % 4 = 0 and n < ${PAYMENTS} then 'transfer.direct' else 'x402' end, now() - n * interval '1 minute'
      from generate_series(1, ${all}) n`)
    await tx.run(sql`
      insert into journal_postings
      select 'j' || n, case when n > ${PAYMENTS} * 2 then 'wallet:0x' || lpad(to_hex(n), 40, '0')
        when n % 2 = 0 then ${flooded} else ${large} end, 5000000 from generate_series(1, ${all}) n
      union all select 'j' || n, 'outside:world', -5000000 from generate_series(1, ${all}) n`)
    await tx.run(sql`
      insert into journal_entries (id, kind, at, reverses)
      select 'r' || n, 'x402', now(), 'j' || n from generate_series(1, ${PAYMENTS}) n where n % 4 = 2`)
    await tx.run(sql`
      insert into journal_postings
      select 'r' || n, account, amount from generate_series(1, ${PAYMENTS}) n,
        (values (${flooded}, -5000000), ('outside:world', 5000000)) posting (account, amount) where n % 4 = 2`)
  })
})
afterAll(() => database.close())

/** How many rows a page is made of. */
async function rowsOf(filter: EarningFilter, sort: (typeof earningSorts)[number]) {
  const plans: PlanNode[] = []
  await listEarnings(explaining(database.db, plans), filter, { sort, limit: PAGE, offset: 0 })
  const read = rowsRead(plans)
  const rowsIn = (table: string): number => read[table] ?? 0
  return {
    passed: rowsIn('earning_entries'),
    entries: rowsIn('journal_entries'),
    postings: rowsIn('journal_postings'),
  }
}

/** How many accounts the planner takes for granted; a negative number is a share of all entries. */
const assumed = [
  ['one entry of each account', sql`-1`],
  ['some dozens of each', sql`1000`],
  ['all of one account', sql`1`],
] as const

test.each(earningSorts)(
  'a page by %s looks up what it shows before there are any statistics',
  async (sort) => {
    const { passed, entries } = await rowsOf({ accounts: [large] }, sort)
    expect(passed).toBeLessThanOrEqual(PAYMENTS)
    expect(entries).toBe(PAGE)
  },
)

test.each(assumed)('a page reads no other earnings where the planner expects %s', async (_, accounts) => {
  const { db } = database
  await db.transaction(async (tx) => {
    // Vacuum takes for visible to all only what was written to disk before.
    await tx.run(sql`set local synchronous_commit = 'on'`)
    await tx.run(sql`alter table earning_entries alter column account set (n_distinct = ${accounts})`)
  })
  await db.run(sql`vacuum analyze earning_entries, journal_entries, journal_postings`)
  for (const sort of earningSorts) {
    const { passed, entries, postings } = await rowsOf({ accounts: [large] }, sort)
    expect({ sort, passed, entries }).toEqual({ sort, passed: PAGE, entries: PAGE })
    expect(postings).toBeLessThanOrEqual(6 * PAGE)
  }
  // As after a change of most rows: it may cost a look at all keys, and no more.
  await db.run(sql`update pg_class set relallvisible = 0 where relname = 'earning_entries'`)
  for (const sort of earningSorts) expect((await rowsOf({ accounts: [large] }, sort)).entries).toBe(PAGE)
})

test('what came into a wallet without being income is passed over, and not looked up', async () => {
  for (const sort of earningSorts) {
    const { passed, entries } = await rowsOf({ accounts: [flooded] }, sort)
    expect(passed).toBeLessThanOrEqual(PAYMENTS)
    expect(entries).toBe(PAGE)
    expect((await rowsOf({ accounts: [large], source: 'ESCROW' }, sort)).entries).toBe(0)
  }
})

test.each(['highest', 'lowest'] as const)(
  'a page by %s of some days looks up what it shows',
  async (sort) => {
    const from = new Date(Date.now() - 24 * 3600_000)
    expect((await rowsOf({ accounts: [large], from }, sort)).entries).toBe(PAGE)
  },
)
