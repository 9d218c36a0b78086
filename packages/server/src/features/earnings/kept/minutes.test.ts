import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rangesOfDays } from '../../../house/books/kept-days/days.ts'
import { createDayKeeping } from '../../../house/books/kept-days/keeping.ts'
import { checkInvariants } from '../../../money/audit/invariants.ts'
import { type Account, outsideAccount, walletAccount } from '../../../money/books/accounts.ts'
import { postEntry, reverseEntry } from '../../../money/books/journal.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { type EarningFilter, earned, rangesOf } from '../earned.ts'
import { earningsInvariants } from '../invariants.ts'
import { sumEarnings, sumEarningsByDay, sumEarningsByGroup } from '../store.ts'
import { earningDays } from './days.ts'
import { summed } from './summed.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const firstDay = Date.UTC(2026, 10, 10)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

/** Few different moments, so that several entries share a minute. */
const moment = fc
  .tuple(fc.nat(2), fc.constantFrom(0, 1, MINUTE_MS - 1, MINUTE_MS, 600 * MINUTE_MS, DAY_MS - 1))
  .map(([day, withinMs]) => new Date(firstDay + day * DAY_MS + withinMs))

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ pay: moment, amountMicro: fc.bigInt(1n, 1_000n) }) },
  { weight: 1, arbitrary: fc.record({ takeBack: fc.nat(20) }) },
  // With 0 each day is kept in minutes, with 2 those that become busy.
  { weight: 3, arbitrary: fc.record({ keepBusyAbove: fc.constantFrom(0, 2, 1_000) }) },
  // What processes of the previous version do: they know nothing of minutes.
  { weight: 2, arbitrary: fc.constant('WHOLE_DAYS_DUE' as const) },
  { weight: 1, arbitrary: fc.constant('KEPT_BY_FORMER' as const) },
)

const seldom = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const period = fc
  .record({ from: seldom(moment), to: seldom(moment) })
  .filter(({ from, to }) => !from || !to || from < to)

const pay = (account: Account, at: Date, amountMicro: bigint) =>
  database.db.transaction((tx) =>
    postEntry(tx, {
      kind: 'x402',
      at,
      postings: [
        { account, amountMicro },
        { account: outsideAccount('world'), amountMicro: -amountMicro },
      ],
    }),
  )

const keep = (busyAbove: number) => createDayKeeping({ db: database.db, days: earningDays, busyAbove })()

const keepAsBefore = (account: Account) =>
  database.db.transaction(async (tx) => {
    const days = (
      await tx.rows<{ day: string }>(
        sql`select distinct day from earning_days_due where account = ${account}`,
      )
    ).map(({ day }) => day)
    const isOfThem = sql`account = ${account} and day = any(${days}::date[])`
    await tx.run(sql`delete from earning_days_due where ${isOfThem}`)
    await tx.run(sql`delete from earning_days where ${isOfThem}`)
    const row = sql`account, day, source, service_id, has_job, count, net_micro, fee_micro, unverified_micro`
    const ranges = rangesOfDays(
      sql`account`,
      sql`(select ${account}::text as account, unnest(${days}::date[]) as day) days`,
    )
    await tx.run(sql`insert into earning_days (${row}) select ${row} from (${summed(earned(ranges))}) sums`)
  })

async function expectSameAsAddedUp(filter: EarningFilter): Promise<void> {
  const { db } = database
  const addedUp = summed(earned(rangesOf(filter), filter))
  const byDay = sql`
    select day, source, sum(net_micro) as net_micro, sum(unverified_micro) as unverified_micro
    from (${addedUp}) sums group by day, source`
  const { count, netMicro } = await db.one<{ count: bigint; netMicro: bigint }>(
    sql`select coalesce(sum(count), 0)::bigint as count, coalesce(sum(net_micro), 0) as net_micro from (${addedUp}) sums`,
  )
  expect(await sumEarnings(db, filter)).toMatchObject({ count, netMicro })
  expect(new Set(await sumEarningsByDay(db, filter))).toEqual(new Set(await db.rows(byDay)))
  expect(await sumEarningsByGroup(db, filter, 'agent')).toHaveLength(count > 0n ? 1 : 0)
}

test('sums are the same however much of them is kept, by day or by minute, and whatever has changed since', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 14, size: 'max' }),
      fc.array(period, { minLength: 3, maxLength: 3 }),
      async (steps, periods) => {
        const account = walletAccount(`0x${randomBytes(20).toString('hex')}`)
        const standing: string[] = []
        for (const one of steps) {
          if (one === 'WHOLE_DAYS_DUE')
            await database.db.run(sql`update earning_days_due set minute = null where account = ${account}`)
          else if (one === 'KEPT_BY_FORMER') await keepAsBefore(account)
          else if ('pay' in one) standing.push(await pay(account, one.pay, one.amountMicro))
          else if ('keepBusyAbove' in one) await keep(one.keepBusyAbove)
          else {
            const [taken] = standing.splice(one.takeBack % (standing.length || 1), 1)
            if (taken) await database.db.transaction((tx) => reverseEntry(tx, taken, 'a fork'))
          }
        }
        for (const { from, to } of [{}, ...periods])
          await expectSameAsAddedUp({ accounts: [account], from, to })
      },
    ),
    { numRuns: 30 },
  )
  // The rules read no chain.
  const breaches = () => checkInvariants({ db: database.db, chain: undefined as never }, earningsInvariants)
  expect(await breaches()).toEqual([])
  await keep(2)
  expect(await database.db.rows(sql`select from earning_days_due`)).toEqual([])
  expect(await database.db.rows(sql`select from earning_minutes limit 1`)).toHaveLength(1)
  expect(await breaches()).toEqual([])

  // Whichever minute is wrong, the full check comes to it.
  const wrong = await database.db.one<{ account: Account; minute: Date }>(sql`
    update earning_minutes set net_micro = net_micro + 1
    where (account, minute) in (select account, minute from earning_minutes order by account desc, minute desc limit 1)
    returning account, minute`)
  const day = sql`(${wrong.minute}::timestamptz at time zone 'UTC')::date`
  const isOfDay = sql`account = ${wrong.account} and day = ${day}`
  await database.db.run(sql`update earning_days set net_micro = net_micro + 1 where ${isOfDay}`)
  expect(await breaches()).toMatchObject([{ invariant: 'E3', rows: [wrong] }])
  await database.db.run(sql`update earning_days set net_micro = net_micro + 1 where ${isOfDay}`)
  expect(await breaches()).toMatchObject([{ invariant: 'E1' }, { invariant: 'E3' }])
  // As docs/runbooks.md says.
  await database.db.run(sql`insert into earning_days_due (account, day) values (${wrong.account}, ${day})`)
  await keep(2)
  expect(await breaches()).toEqual([])
})

test('sums of a day without entries are found among days of many services', async () => {
  const { db } = database
  const account = walletAccount(`0x${randomBytes(20).toString('hex')}`)
  for (let day = 0; day < 60; day += 1) await pay(account, new Date(firstDay + 2 * day * DAY_MS), 5n)
  await keep(1_000)
  await db.run(sql`
    insert into earning_days
    select ${account}, ${new Date(firstDay)}::timestamptz::date, 'ESCROW', 's' || n, true, 0, 0, 0, 0 from generate_series(1, 60) n`)
  await db.run(sql`
    insert into earning_days values (${account}, '2026-11-21', 'X402', '', false, 1, 5, 0, 0)`)
  const breaches = await checkInvariants({ db, chain: undefined as never }, earningsInvariants)
  expect(breaches).toMatchObject([{ invariant: 'E1', rows: [{ account, day: '2026-11-21' }] }])
})
