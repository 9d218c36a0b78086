import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDayKeeping } from '../../../house/books/kept-days/keeping.ts'
import { walletAccount } from '../../../money/books/accounts.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { ChainPort } from '../../../ports/chain/port.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { earningsInvariants } from '../invariants.ts'
import { sumEarnings } from '../store.ts'
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
  await database.db.run(sql`analyze`)
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
  const sumInADay = {
    accounts: [seller],
    from: new Date(`${DAY}T09:30:15Z`),
    to: new Date(`${DAY}T21:10:05Z`),
  }
  const part = await countRowsRead((db) => sumEarnings(db, sumInADay))
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
