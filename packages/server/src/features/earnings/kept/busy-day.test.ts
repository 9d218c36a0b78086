import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDayKeeping } from '../../../house/books/kept-days/keeping.ts'
import { walletAccount } from '../../../money/books/accounts.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { ChainPort } from '../../../ports/chain/port.ts'
import { explaining, type PlanNode, rowsRead } from '../../../testing/explaining.ts'
import { plansOf } from '../../../testing/plans.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import type { EarningFilter } from '../earned.ts'
import { earningsInvariants } from '../invariants.ts'
import { sumEarnings, sumEarningsByDay } from '../store.ts'
import { earningDays } from './days.ts'

const seller = walletAccount(`0x${'b1'.repeat(20)}`)
const DAY = '2026-11-10'
const PAYMENTS = 20_000
const PRICE_MICRO = 5_000_000n
/** How many rows may be read for one more payment: each entry of its minute is some ten rows. */
const FEW = 300
const MINUTES = 1_440

let database: TestDatabase
let posted = 0
beforeAll(async () => {
  database = await createTestDatabase()
  await post(PAYMENTS)
  await keepDays(database.db)
  // As it is after a night: nothing is due then.
  await database.db.run(sql`vacuum analyze`)
})
afterAll(() => database.close())

/** Payments of one day, at even distances. */
async function post(count: number): Promise<void> {
  await database.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into journal_entries (id, kind, at)
      select 'paid' || ${posted}::int + n, 'x402', ${DAY}::timestamp at time zone 'UTC' + (n - 1) * interval '1 day' / ${count}
      from generate_series(1, ${count}::int) n`)
    await tx.run(sql`
      insert into journal_postings
      select 'paid' || ${posted}::int + n, account, amount from generate_series(1, ${count}::int) n,
        (values (${seller}, ${PRICE_MICRO}::numeric), ('outside:world', -${PRICE_MICRO}::numeric)) as side (account, amount)`)
  })
  posted += count
}

const keepDays = (db: Database) => createDayKeeping({ db, days: earningDays })()
/** From within a minute to within another. */
const partOfDay = { from: new Date(`${DAY}T09:30:15Z`), to: new Date(`${DAY}T21:10:05Z`) }
const earned = async (filter = {}) =>
  (await sumEarnings(database.db, { accounts: [seller], ...filter })).netMicro

/** How many rows of tables the transactions of this work read. */
async function countRowsRead(work: (db: Database) => Promise<unknown>): Promise<number> {
  let read = 0
  const { db } = database
  const readSoFar = async (tx: Queryable): Promise<number> => {
    const { rows } = await tx.one<{ rows: number }>(sql`
      select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as rows from pg_stat_xact_user_tables`)
    return rows
  }
  const transaction: Database['transaction'] = (inside, options) =>
    db.transaction(async (tx) => {
      const before = await readSoFar(tx)
      const result = await inside(tx)
      read += (await readSoFar(tx)) - before
      return result
    }, options)
  const inTransactions = <Result>(run: (tx: Database) => Promise<Result>): Promise<Result> =>
    transaction((tx) => run({ ...db, ...tx }))
  await work({
    ...db,
    transaction,
    rows: (statement) => inTransactions((tx) => tx.rows(statement)),
    one: (statement) => inTransactions((tx) => tx.one(statement)),
    maybeOne: (statement) => inTransactions((tx) => tx.maybeOne(statement)),
  })
  return read
}

test('one more payment on a day of very many costs no more than its minute: to view, to add up and to audit', async () => {
  expect(await earned()).toBe(BigInt(PAYMENTS) * PRICE_MICRO)
  await post(1)
  const view = await countRowsRead((db) => sumEarnings(db, { accounts: [seller] }))
  const part = await countRowsRead((db) => sumEarnings(db, { accounts: [seller], ...partOfDay }))
  expect(await earned()).toBe(BigInt(PAYMENTS + 1) * PRICE_MICRO)

  await database.db.run(sql`delete from audit_changes`)
  const turn = await countRowsRead(keepDays)
  expect(await database.db.rows(sql`select from earning_days_due`)).toEqual([])
  expect(await earned()).toBe(BigInt(PAYMENTS + 1) * PRICE_MICRO)

  const changes = await database.db.rows<{ kind: string; key: string }>(
    sql`select distinct kind, key from audit_changes`,
  )
  const kinds = earningsInvariants.map(({ subject }) => subject.name)
  const checked = changes.filter(({ kind }) => kinds.includes(kind))
  expect(checked).toEqual(
    expect.arrayContaining([
      { kind: 'earnings', key: `${seller} ${DAY}` },
      { kind: 'earnings of a minute', key: `${seller} ${DAY}T00:00Z` },
    ]),
  )
  const audit = await countRowsRead(async (db) => {
    for (const { kind, key } of checked)
      for (const rule of earningsInvariants.filter(({ subject }) => subject.name === kind))
        expect(await rule.check({ db, chain: {} as ChainPort }, [key])).toEqual([])
  })
  expect(Math.max(view, turn)).toBeLessThan(FEW)
  // A part of the day is the sum of its minutes, and the rule about the day reads all of them.
  expect(Math.max(part, audit)).toBeLessThan(FEW + MINUTES)
})

/** How many rows of a table a view reads. */
async function countRowsOf(table: string, filter: EarningFilter): Promise<number> {
  const plans: PlanNode[] = []
  await sumEarningsByDay(explaining(database.db, plans), filter)
  return rowsRead(plans)[table] ?? 0
}

test('a part of a day is not compared with each of the changes of that day', async () => {
  const CHANGES = 20_000
  // As for the planner when a day has just become busy.
  await database.db.run(sql`delete from pg_statistic where starelid = 'earning_minutes'::regclass`)
  await database.db.run(sql`
    insert into earning_days_due (account, day, minute)
    select ${seller}, ${DAY}::date, ${`${DAY}T12:00:00Z`}::timestamptz from generate_series(1, ${CHANGES}::int)`)
  expect(await countRowsOf('earning_days_due', { accounts: [seller], ...partOfDay })).toBeLessThan(
    10 * CHANGES,
  )
})

test('what changed for one of many agents is looked up, and not the minutes of all', async () => {
  const others = Array.from({ length: 1_000 }, (_, n) =>
    walletAccount(`0x${n.toString(16).padStart(40, '0')}`),
  )
  await database.db.run(sql`
    insert into earning_days_due (account, day, minute)
    select account, ${DAY}::date, ${DAY}::timestamp at time zone 'UTC' from unnest(${[seller, ...others]}::text[]) account`)
  await database.db.run(sql`analyze earning_days_due`)
  expect(await countRowsOf('earning_minutes', { accounts: [seller, ...others] })).toBeLessThan(FEW)
})

test('the rule about busy days reads the minutes of each by the index', async () => {
  const days = Array.from({ length: 50 }, (_, n) =>
    new Date(Date.UTC(2026, 7, 1 + n)).toISOString().slice(0, 10),
  )
  await database.db.run(sql`
    insert into earning_days
    select ${seller}, day, 'X402', '', false, 200, 1000, 0, 0, true from unnest(${days}::date[]) day`)
  await database.db.run(sql`
    insert into earning_minutes
    select ${seller}, (day::timestamp at time zone 'UTC') + n * interval '1 minute', 'X402', '', false, 1, 5, 0, 0
    from unnest(${days}::date[]) day, generate_series(1, 200) n`)
  const keys = days.map((day) => `${seller} ${day}`)
  const plans = await plansOf(database.db, async (db) => {
    for (const { name, check } of earningsInvariants)
      if (name === 'E1') expect(await check({ db, chain: {} as ChainPort }, keys)).toEqual([])
  })
  expect(plans).toMatch(/Index.* on earning_minutes/)
  expect(plans).not.toMatch(/Seq Scan on earning_minutes/)
})
