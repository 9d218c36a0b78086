import { type Sql, sql } from '../../../platform/db/sql.ts'

/**
 * Stored sums of days in UTC, each day of an account, an owner or the like: the tables and columns that hold them. A change
 * of the books makes the minutes of its entries due: what is stored for them does not count until they are added up again.
 * Most days have few entries and are added up as a whole. A busy day also has sums of its minutes, so that a change adds up
 * one minute.
 */
export interface KeptDays {
  /** The table of the sums of days. */
  kept: Sql
  /** The table of the sums of minutes. Only busy days have them; their rows in `kept` are marked `in_minutes`. */
  minutes: Sql
  /** The table of what has to be added up again: a minute, or the whole day where the minute is null. */
  due: Sql
  /** The table of what is added up, each entry with its time. */
  entries: Sql
  /** The column of these tables that says whose day it is. */
  of: Sql
  /** The columns by which a day's sums are grouped. */
  groups: readonly Sql[]
  amounts: readonly Sql[]
  /** Values for `groups`, for the row that marks a day as kept in minutes before it has any sums. */
  anyGroup: Sql
  /** Adds up the entries of these ranges, by `day` or by `minute`. */
  sums: (ranges: Sql, by: Unit) => Sql
}

export type Unit = 'day' | 'minute'

/** One day of somebody. */
export interface Day {
  key: string
  /** In UTC, as `2026-11-15`. */
  day: string
}

/** The day or the minute of a moment, as a column of that name. */
export const unitOf = (by: Unit, at: Sql): Sql =>
  by === 'day'
    ? sql`(${at} at time zone 'UTC')::date as day`
    : sql`date_trunc('minute', ${at}, 'UTC') as minute`

/** Days as ranges of time. */
export const rangesOfDays = (of: Sql, days: Sql, condition: Sql = sql`true`): Sql => sql`
  select distinct ${of}, ${startOf(sql`day`)} as since, ${startOf(sql`day + 1`)} as until
  from ${days} where ${condition}`

export const rangesOfMinutes = (of: Sql, minutes: Sql, condition: Sql = sql`true`): Sql => sql`
  select distinct ${of}, minute as since, minute + interval '1 minute' as until from ${minutes} where ${condition}`

/**
 * For each row of the relation `each`: its stored minutes in a range, as `held`. The lateral join looks them up in the index:
 * all sellers together may have millions of minutes.
 */
export const minutesKept = (
  { minutes, of }: KeptDays,
  each: Sql,
  { from, to }: { from: Sql; to: Sql },
): Sql => sql`
  lateral (
    select * from ${minutes} part
    where part.${of} = ${each}.${of} and part.minute >= ${from} and part.minute < ${to} offset 0) held`

/** The first moment of a day. */
export const startOf = (day: Sql): Sql => sql`((${day})::timestamp at time zone 'UTC')`

/** The day in UTC, as `2026-11-15`. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

/** A list of columns, such as that of a select, each written by `each`. */
export const columns = (names: readonly Sql[], each: (name: Sql) => Sql = (name) => name): Sql =>
  sql.join(names.map(each), sql`, `)
