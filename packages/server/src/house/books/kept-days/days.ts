import { type Sql, sql } from '../../../platform/db/sql.ts'

/**
 * Sums of whole days in UTC that are kept, each of an account, an owner or the like. A change of the books makes the minutes
 * of its entries due: from then on what is kept of them does not count, until they are added up again. Most days have few
 * entries, and are added up as a whole. Of a busy day its minutes are kept too, so that a change adds up a minute of it.
 */
export interface KeptDays {
  kept: Sql
  /** The sums of the minutes of busy days, whose rows of `kept` are marked `in_minutes`. */
  minutes: Sql
  /** Without a minute the whole day is due. */
  due: Sql
  /** What is added up, each with its time. */
  entries: Sql
  /** The column of these tables that says whose day it is. */
  of: Sql
  /** The columns in which sums of the same day differ. */
  groups: readonly Sql[]
  amounts: readonly Sql[]
  /** Values of `groups`, for a row that marks a day before anything of it is kept. */
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

/** A column of the day or the minute of a moment. */
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
 * What is kept of the minutes from one up to another of each row of a relation, as `held`. They are looked up by the index:
 * the minutes of all sellers may be millions.
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

/** Columns in a list, such as that of a select, each as `each` writes it. */
export const columns = (names: readonly Sql[], each: (name: Sql) => Sql = (name) => name): Sql =>
  sql.join(names.map(each), sql`, `)
