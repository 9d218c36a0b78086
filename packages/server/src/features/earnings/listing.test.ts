import { type EarningSource, earningSorts } from '@agent-marketplace/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, walletAccount } from '../../money/books/accounts.ts'
import { sql } from '../../platform/db/sql.ts'
import { explaining, type PlanNode, rowsRead } from '../../testing/explaining.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import type { EarningFilter } from './earned.ts'
import { listEarnings } from './store.ts'

const HOUR_MS = 3600_000
const PAGE = 100
const PAYMENTS = 4_000
const OTHERS = 20_000
/** Of the large account, from the escrow. All others are of X402. */
const ESCROW_PAYMENTS = 20
const large = walletAccount(`0x${'b1'.repeat(20)}`)
/** Since its last payment much was sent to it that is no income, and as many payments were taken back. */
const flooded = walletAccount(`0x${'b2'.repeat(20)}`)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  // Two accounts have a seventh of all entries each; every other account has one entry.
  const all = PAYMENTS * 2 + OTHERS
  const amount = sql`(5000000 + n * 7919 % 1000)`
  await database.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into journal_entries (id, kind, at)
      select 'j' || n, case when n % 4 = 0 and n < ${PAYMENTS} then 'transfer.direct'
          when n % (${PAYMENTS} * 2 / ${ESCROW_PAYMENTS}) = 1 and n < ${PAYMENTS} * 2 then 'escrow.released' else 'x402' end,
        now() - n * interval '1 minute'
      from generate_series(1, ${all}) n`)
    await tx.run(sql`
      insert into journal_postings
      select 'j' || n, case when n > ${PAYMENTS} * 2 then 'wallet:0x' || lpad(to_hex(n), 40, '0')
        when n % 2 = 0 then ${flooded} else ${large} end, ${amount} from generate_series(1, ${all}) n
      union all select 'j' || n, 'outside:world', -${amount} from generate_series(1, ${all}) n`)
    await tx.run(sql`
      insert into journal_entries (id, kind, at, reverses)
      select 'r' || n, 'x402', now(), 'j' || n from generate_series(1, ${PAYMENTS}) n where n % 4 = 2`)
    await tx.run(sql`
      insert into journal_postings
      select 'r' || n, account, amount from generate_series(1, ${PAYMENTS}) n,
        lateral (values (${flooded}, -${amount}), ('outside:world', ${amount})) posting (account, amount) where n % 4 = 2`)
  })
})
afterAll(() => database.close())

/** How many rows a page is made of. */
async function rowsOf(filter: EarningFilter, sort: (typeof earningSorts)[number]) {
  const plans: PlanNode[] = []
  await listEarnings(explaining(database.db, plans), filter, { sort, limit: PAGE, offset: 0 })
  const read = rowsRead(plans)
  // A plan has the average of its loops.
  const rowsIn = (table: string): number => Math.round(read[table] ?? 0)
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
  }
})

/** So many keys are looked at to see whether only few fit. */
const PROBED = 1_001
const since = (hours: number) => new Date(Date.now() - hours * HOUR_MS)

describe('a page for which few or many entries fit', () => {
  beforeAll(async () => {
    await database.db.run(sql`alter table earning_entries alter column account reset (n_distinct)`)
    await database.db.run(sql`vacuum analyze earning_entries`)
  })

  test.each(earningSorts)('passes over no other source, by %s', async (sort) => {
    const ofSource = (account: Account, source: EarningSource) =>
      rowsOf({ accounts: [account], source }, sort)
    const all = { passed: ESCROW_PAYMENTS, entries: ESCROW_PAYMENTS }
    expect(await ofSource(large, 'ESCROW')).toMatchObject(all)
    expect(await ofSource(flooded, 'ESCROW')).toMatchObject({ passed: 0, entries: 0 })
    const { passed, entries } = await ofSource(large, 'X402')
    const isByTime = sort === 'newest' || sort === 'oldest'
    expect(passed).toBeLessThanOrEqual(isByTime ? PAGE : PROBED + 1 + PAGE + ESCROW_PAYMENTS)
    expect(entries).toBe(PAGE)
  })

  test.each(['highest', 'lowest'] as const)('looks up what it shows of some days, by %s', async (sort) => {
    const [few, many] = [since(12), since(60)]
    const ofFew = await rowsOf({ accounts: [large], from: few }, sort)
    expect(ofFew.entries).toBe(PAGE)
    expect(ofFew.passed).toBeLessThanOrEqual(12 * 60)
    const ofMany = await rowsOf({ accounts: [large, flooded], from: many }, sort)
    expect(ofMany.entries).toBe(PAGE)
    expect(ofMany.passed, 'no walk through an account of which nothing fits').toBeLessThan(PAYMENTS)
  })

  test.each(earningSorts)('has the entries that fit, by %s', async (sort) => {
    const { db } = database
    const read = (filter: Partial<EarningFilter>, page: { limit: number; offset?: number }) =>
      listEarnings(db, { accounts: [large, flooded], ...filter }, { sort, offset: 0, ...page })
    const all = await read({}, { limit: PAYMENTS * 2 })
    expect(all.length).toBeGreaterThan(PAYMENTS)
    const filters: Partial<EarningFilter>[] = [
      { source: 'ESCROW' },
      { source: 'X402' },
      { source: 'X402', from: since(12) },
      { source: 'ESCROW', from: since(90), to: since(20) },
      { from: since(12) },
      { from: since(90), to: since(20) },
    ]
    for (const filter of filters) {
      const { source, from = new Date(0), to = new Date() } = filter
      const fitting = all.filter(
        (one) => (source === undefined || one.source === source) && one.at >= from && one.at < to,
      )
      expect(await read(filter, { limit: 20 })).toEqual(fitting.slice(0, 20))
      expect(await read(filter, { limit: 20, offset: 15 })).toEqual(fitting.slice(15, 35))
      expect(await read(filter, { limit: 1 })).toEqual(fitting.slice(0, 1))
      expect(await read(filter, { limit: 1, offset: fitting.length })).toEqual([])
    }
  })
})
