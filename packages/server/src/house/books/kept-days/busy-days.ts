import type { Database } from '../../../platform/db/database.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { columns, type Day, type KeptDays, rangesOfMinutes, startOf, unitOf } from './days.ts'
import { lockDays } from './lock.ts'

/** In a minute there may be thousands of entries, and a statement has ten seconds. */
const MINUTES_AT_ONCE = 20

/**
 * Adds up the minutes of a busy day that are due, and applies the difference to the sums of the day. No transaction adds up
 * more than a few minutes, however many entries the day has.
 */
export async function keepInMinutes(
  db: Database,
  days: KeptDays,
  day: Day,
  signal?: AbortSignal,
): Promise<void> {
  await db.transaction((tx) => beginAnew(tx, days, day))
  const minutes = await listDue(db, days, day)
  for (let at = 0; at < minutes.length; at += MINUTES_AT_ONCE) {
    signal?.throwIfAborted()
    await db.transaction((tx) => keepMinutes(tx, days, day, minutes.slice(at, at + MINUTES_AT_ONCE)))
  }
}

const listDue = async (db: Database, { due, of }: KeptDays, { key, day }: Day): Promise<Date[]> => {
  const rows = await db.rows<{ minute: Date }>(sql`
    select distinct minute from ${due}
    where ${of} = ${key} and day = ${day}::date and minute is not null order by minute`)
  return rows.map(({ minute }) => minute)
}

/** Where the whole day is due, or its minutes are not kept yet: clears its sums and makes each of its minutes due. */
async function beginAnew(tx: Transaction, days: KeptDays, { key, day }: Day): Promise<void> {
  const { kept, minutes, due, entries, of } = days
  const isOfDay = sql`${of} = ${key} and day = ${day}::date`
  const within = (at: Sql) =>
    sql`${of} = ${key} and ${at} >= ${startOf(sql`${day}::date`)} and ${at} < ${startOf(sql`${day}::date + 1`)}`
  const isInMinutes = await lockDay(tx, days, { key, day })
  const whole = await tx.rows(sql`select from ${due} where ${isOfDay} and minute is null limit 1`)
  if (isInMinutes && whole.length === 0) return
  await tx.run(sql`delete from ${due} where ${isOfDay}`)
  await tx.run(sql`delete from ${kept} where ${isOfDay}`)
  await tx.run(sql`delete from ${minutes} where ${within(sql`minute`)}`)
  await tx.run(sql`
    insert into ${kept} (${columns([of, sql`day`, ...days.groups, ...days.amounts])}, in_minutes)
    values (${key}, ${day}::date, ${days.anyGroup}, ${columns(days.amounts, () => sql`0`)}, true)`)
  await tx.run(sql`
    insert into ${due} (${of}, day, minute)
    select distinct ${key}, ${day}::date, ${unitOf('minute', sql`at`)} from ${entries} where ${within(sql`at`)}`)
}

/**
 * Locks the sums of the day for this transaction, and returns whether it is kept in minutes. A process of the previous
 * version waits only for these rows, and may leave sums of the whole day beside them.
 */
async function lockDay(tx: Transaction, days: KeptDays, day: Day): Promise<boolean> {
  await lockDays(tx, days, [day])
  const { kept, of } = days
  const rows = await tx.rows<{ inMinutes: boolean }>(sql`
    select in_minutes from ${kept} where ${of} = ${day.key} and day = ${day.day}::date for update`)
  return rows.length > 0 && rows.every(({ inMinutes }) => inMinutes)
}

async function keepMinutes(tx: Transaction, days: KeptDays, day: Day, chosenMinutes: Date[]): Promise<void> {
  const { kept, minutes, due, of, groups, amounts } = days
  // Another worker has added it up as a whole. What has changed since then is still due.
  if (!(await lockDay(tx, days, day))) return
  const parts = columns([of, sql`minute`, ...groups, ...amounts])
  const chosen = sql`(select ${day.key}::text as ${of}, unnest(${chosenMinutes}::timestamptz[]) as minute) chosen`
  const ranges = rangesOfMinutes(of, chosen)
  const addToDay = (each: (amount: Sql) => Sql) => sql`
    insert into ${kept} as held (${columns([of, sql`day`, ...groups, ...amounts])}, in_minutes)
    select ${of}, ${day.day}::date, ${columns([...groups, ...amounts.map(each)])}, true
    from moved group by ${columns([of, ...groups])}
    on conflict (${columns([of, sql`day`, ...groups])}) do update
    set ${columns(amounts, (amount) => sql`${amount} = held.${amount} + excluded.${amount}`)}`

  await tx.run(
    sql`delete from ${due} where ${of} = ${day.key} and day = ${day.day}::date and minute = any(${chosenMinutes}::timestamptz[])`,
  )
  await tx.run(sql`
    with moved as (
      delete from ${minutes} where ${of} = ${day.key} and minute = any(${chosenMinutes}::timestamptz[]) returning *)
    ${addToDay((amount) => sql`-sum(${amount})`)}`)
  await tx.run(sql`
    with moved as (
      insert into ${minutes} (${parts}) select ${parts} from (${days.sums(ranges, 'minute')}) sums returning *)
    ${addToDay((amount) => sql`sum(${amount})`)}`)
  // The last row stays, even with a count of zero: it marks the day as kept in minutes.
  await tx.run(sql`
    delete from ${kept} held where ${of} = ${day.key} and day = ${day.day}::date and count = 0 and exists (
      select from ${kept} other where other.${of} = held.${of} and other.day = held.day and other.count > 0)`)
}
