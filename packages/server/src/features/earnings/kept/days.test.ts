import { AppError } from '@agent-marketplace/contract'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createDayKeeping } from '../../../house/books/kept-days/keeping.ts'
import { type Account, walletAccount } from '../../../money/books/accounts.ts'
import type { Database } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { sumEarnings } from '../store.ts'
import { earningDays } from './days.ts'

/** More days than are added up at once: one for each seller. */
const SELLERS = 450
const accountOf = (n: number) => walletAccount(`0x${n.toString(16).padStart(40, '0')}`)

let database: TestDatabase
beforeEach(async () => {
  await database?.close()
  database = await createTestDatabase()
  await post(Array.from({ length: SELLERS }, (_, n) => accountOf(n)))
})
afterAll(() => database.close())

/** A payment to each of them, on one day. */
const post = (accounts: string[], kind = 'x402') =>
  database.db.transaction(async (tx) => {
    const ids = accounts.map((account) => `${account} ${Math.random()}`)
    await tx.run(sql`
      insert into journal_entries (id, kind, at) select id, ${kind}, '2026-11-10T12:00:00Z' from unnest(${ids}::text[]) id`)
    await tx.run(sql`
      insert into journal_postings (entry_id, account, amount_micro)
      select id, account, 5000000 from unnest(${ids}::text[], ${accounts}::text[]) as given (id, account)
      union all select id, 'outside:world', -5000000 from unnest(${ids}::text[]) id`)
  })

const keepDays = (db: Database) => createDayKeeping({ db, days: earningDays })()
const dueAccounts = async () =>
  (await database.db.rows<{ account: string }>(sql`select distinct account from earning_days_due`)).map(
    ({ account }) => account,
  )
const onlyDue = (accounts: string[]) =>
  database.db.run(sql`delete from earning_days_due where account <> all(${accounts})`)
const earnedOf = async (account: Account) =>
  (await sumEarnings(database.db, { accounts: [account] })).netMicro
const earnedBy = (n: number) => earnedOf(accountOf(n))

test.each([
  { n: 3, others: 'quiet', busyAbove: 1_000 },
  { n: SELLERS - 1, others: 'quiet', busyAbove: 1_000 },
  { n: 3, others: 'busy', busyAbove: 1 },
])(
  'a day that takes too long, that of seller $n, holds up no other day, where the others are $others',
  async ({ n, others, busyAbove }) => {
    await post(
      Array.from({ length: SELLERS }, (_, other) => accountOf(other)).filter((_, other) => other !== n),
    )
    if (others === 'busy') await onlyDue(Array.from({ length: 10 }, (_, other) => accountOf(other)))
    const keep = createDayKeeping({ db: database.db, days: earningDays, busyAbove })
    await database.db.run(sql`create table too_long (account text)`)
    await database.db.run(sql`insert into too_long values (${accountOf(n)})`)
    await database.db.run(sql`
    create function take_too_long() returns trigger language plpgsql as $$
    begin
      if exists (select from too_long where account = new.account) then
        raise 'canceling statement due to statement timeout' using errcode = '57014';
      end if;
      return new;
    end $$`)
    await database.db.run(
      sql`create trigger slow before insert on earning_days for each row execute function take_too_long()`,
    )
    await expect(keep()).rejects.toMatchObject({
      cause: { message: `${accountOf(n)} 2026-11-10 could not be dealt with` },
    })
    expect(await dueAccounts()).toEqual([accountOf(n)])
    expect(await earnedBy(n)).toBe(5_000_000n)

    await database.db.run(sql`drop trigger slow on earning_days`)
    await keepDays(database.db)
    expect(await dueAccounts()).toEqual([])
    expect(await earnedBy(n)).toBe(5_000_000n)
  },
)

test('a day that has been added up since it failed is tried again soon when it fails once more', async () => {
  const fail = { next: false }
  const failing: Database = {
    ...database.db,
    transaction: (work) => (fail.next ? Promise.reject(new Error('broken')) : database.db.transaction(work)),
  }
  const keep = createDayKeeping({ db: failing, days: earningDays })
  await onlyDue([accountOf(0)])
  for (const isFailing of [true, false, true]) {
    fail.next = isFailing
    await Promise.allSettled([keep()])
    await post([accountOf(0)])
  }
  fail.next = false
  await keep()
  expect(await dueAccounts()).toEqual([])
})

test('a turn ends early when the database accepts no changes', async () => {
  let tries = 0
  const readOnly: Database = {
    ...database.db,
    transaction() {
      tries += 1
      return Promise.reject(new AppError('UNAVAILABLE'))
    },
  }
  await expect(keepDays(readOnly)).rejects.toThrow()
  expect(tries).toBe(3)
})

test.each([
  { kept: 'by day', busyAbove: 1_000, written: 'insert into earning_days' },
  { kept: 'by minute', busyAbove: 0, written: 'insert into earning_minutes' },
])('what changes while it is added up $kept stays due', async ({ busyAbove, written }) => {
  await onlyDue([accountOf(0)])
  let wasPosted = false
  /** Another payment is posted before the sums are written. */
  const meanwhile: Database = {
    ...database.db,
    transaction: (work) =>
      database.db.transaction(async (tx) =>
        work({
          ...tx,
          async run(statement) {
            if (statement.text.includes(written) && !wasPosted) {
              wasPosted = true
              await post([accountOf(0)])
            }
            return tx.run(statement)
          },
        }),
      ),
  }
  await createDayKeeping({ db: meanwhile, days: earningDays, busyAbove })()
  expect(await dueAccounts()).toEqual([accountOf(0)])
  expect(await earnedBy(0)).toBe(10_000_000n)
  await keepDays(database.db)
  expect(await dueAccounts()).toEqual([])
  expect(await earnedBy(0)).toBe(10_000_000n)
})

test('a day that one worker adds up as a whole while it becomes busy for another is counted once', async () => {
  const { db } = database
  const account = accountOf(SELLERS)
  const pay = () => post([account], 'escrow.released')
  const keep = (by: Database, busyAbove: number) =>
    createDayKeeping({ db: by, days: earningDays, busyAbove })()
  const waitsForLock = async () =>
    (
      await db.rows(sql`
      select from pg_locks where not granted and pid in (
        select pid from pg_stat_activity where datname = current_database())`)
    ).length > 0
  await pay()
  await onlyDue([account])
  let inMinutes = Promise.resolve()
  let isFirst = true
  /** A worker that is slow: another has added up what it found, and then finds the day busy. */
  const slow: Database = {
    ...db,
    async transaction(work) {
      if (!isFirst) return db.transaction(work)
      isFirst = false
      await keep(db, 1_000)
      return db.transaction(async (tx) =>
        work({
          ...tx,
          async run(statement) {
            if (statement.text.includes('insert into earning_days')) {
              await pay()
              inMinutes = keep(db, 1)
              await expect.poll(waitsForLock).toBe(true)
            }
            return tx.run(statement)
          },
        }),
      )
    },
  }
  await keep(slow, 1_000)
  await inMinutes
  expect(await earnedOf(account)).toBe(10_000_000n)
  await keep(db, 1)
  expect(await earnedOf(account)).toBe(10_000_000n)
})

test('what a worker of the previous version leaves beside the sums of a busy day is replaced', async () => {
  const keep = createDayKeeping({ db: database.db, days: earningDays, busyAbove: 0 })
  await onlyDue([accountOf(0)])
  await keep()
  // It adds days up as a whole, and locks none.
  await database.db.run(sql`
    insert into earning_days values (${accountOf(0)}, '2026-11-10', 'ESCROW', '', false, 1, 5000000, 0, 0)`)
  await post([accountOf(0)])
  await keep()
  expect(await dueAccounts()).toEqual([])
  expect(await earnedBy(0)).toBe(10_000_000n)
})

test('several workers that add up the same days in minutes add each payment up once', async () => {
  const keep = createDayKeeping({ db: database.db, days: earningDays, busyAbove: 0 })
  const accounts = Array.from({ length: 5 }, (_, n) => accountOf(n))
  await onlyDue(accounts)
  for (let turn = 0; turn < 4; turn += 1)
    await Promise.all([keep(), post(accounts), keep(), post(accounts), keep()])
  await keep()
  expect(await dueAccounts()).toEqual([])
  for (let n = 0; n < accounts.length; n += 1) expect(await earnedBy(n)).toBe(9n * 5_000_000n)
})
