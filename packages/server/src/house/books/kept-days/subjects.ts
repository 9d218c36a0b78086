import type { Subject } from '../../../money/audit/invariant.ts'
import { readKeys } from '../../../money/audit/keys.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { type Day, type KeptDays, startOf } from './days.ts'

/** A day or a minute may have a thousand entries, each of which takes 50 µs. */
const AT_ONCE = 20

/** Days that have entries, or stored sums. The key names whose day it is and its date. */
export const daysOf = (name: string, { entries, kept, of }: KeptDays): Subject => ({
  name,
  keysAtOnce: AT_ONCE,
  list: ({ db }, { after, limit }) => {
    const [whose = '', day = '-infinity'] = after === '' ? [] : after.split(' ')
    // Walks the index from one day to the next: a day may have thousands of entries.
    return readKeys(
      db,
      sql`
      with recursive busy as (
        (select ${of}, (at at time zone 'UTC')::date as day, 1 as place from ${entries}
          where (${of}, at) >= (${whose}, ${startOf(sql`${day}::date + 1`)})
          order by ${of}, at limit 1)
        union all
        select next.${of}, (next.at at time zone 'UTC')::date, place + 1
        from busy cross join lateral (
          select e.${of}, e.at from ${entries} e
          where (e.${of}, e.at) >= (busy.${of}, ${startOf(sql`busy.day + 1`)})
          order by e.${of}, e.at limit 1) next
        where place < ${limit}::int
      )
      select ${of} || ' ' || day as key from (
        select ${of}, day from busy
        union
        (select distinct ${of}, day from ${kept}
          where (${of}, day) > (${whose}, ${day}::date) order by ${of}, day limit ${limit})) found
      order by ${of}, day limit ${limit}`,
    )
  },
})

/** Minutes of busy days that have entries, or stored sums. The key names whose minute it is and when it begins. */
export const minutesOf = (name: string, days: KeptDays): Subject => ({
  name,
  keysAtOnce: AT_ONCE,
  async list({ db }, { after, limit }) {
    const found: string[] = []
    let place: Place | undefined = await placeAfter(db, after)
    while (place !== undefined && found.length < limit) {
      found.push(...(await listMinutes(db, days, place, limit - found.length)))
      place = await nextBusyDay(db, days, place)
    }
    return found
  },
})

/** A day, and the time from which its minutes are listed. */
interface Place extends Day {
  from: Date
}

const placeAfter = (db: Queryable, after: string): Promise<Place> =>
  db.one(sql`
    select key, (at at time zone 'UTC')::date::text as day, at as from
    from (select split_part(${after}, ' ', 1) as key,
      coalesce(nullif(split_part(${after}, ' ', 2), '')::timestamptz + interval '1 minute', 'epoch') as at) found`)

const nextBusyDay = (
  db: Queryable,
  { kept, of }: KeptDays,
  { key, day }: Place,
): Promise<Place | undefined> =>
  db.maybeOne(sql`
    select ${of} as key, day, ${startOf(sql`day`)} as from from ${kept}
    where in_minutes and (${of}, day) > (${key}, ${day}::date) order by ${of}, day limit 1`)

/** Walks the index from one minute to the next. */
const listMinutes = (
  db: Queryable,
  { entries, minutes, of }: KeptDays,
  { key, day, from }: Place,
  limit: number,
): Promise<string[]> => {
  const end = startOf(sql`${day}::date + 1`)
  return readKeys(
    db,
    sql`
    with recursive walk as (
      (select date_trunc('minute', at, 'UTC') as minute, 1 as place from ${entries}
        where ${of} = ${key} and at >= ${from} and at < ${end} order by at limit 1)
      union all
      select date_trunc('minute', next.at, 'UTC'), place + 1 from walk cross join lateral (
        select e.at from ${entries} e
        where e.${of} = ${key} and e.at >= walk.minute + interval '1 minute' and e.at < ${end} order by e.at limit 1) next
      where place < ${limit}::int
    )
    select ${key} || ' ' || ${nameOfMinute(sql`minute`)} as key from (
      select minute from walk
      union
      select minute from ${minutes} where ${of} = ${key} and minute >= ${from} and minute < ${end}) found
    order by minute limit ${limit}`,
  )
}

/** In the format of the trigger that notes changes. */
const nameOfMinute = (minute: Sql): Sql =>
  sql`to_char(${minute} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')`
