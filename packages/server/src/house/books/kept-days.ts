import type { Database } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

/**
 * Sums of whole days in UTC that are kept, each of an account, an owner or the like. A change of the books makes its days
 * due: from then on their sums do not count, until they are added up again.
 */
export interface KeptDays {
  kept: Sql
  due: Sql
  /** What is added up, each with its time. */
  entries: Sql
  /** The column of these tables that says whose day it is. */
  of: Sql
  /** Adds up the days that `chosen` names, and keeps them. */
  keep: (chosen: Sql) => Sql
}

const DAYS_AT_ONCE = 200

/** Adds up again the days on which something has changed; a turn of the worker, every few seconds. */
export const createDayKeeping =
  ({ db, days }: { db: Database; days: KeptDays }) =>
  async (signal?: AbortSignal): Promise<void> => {
    while (await keepSome(db, days)) signal?.throwIfAborted()
  }

/** A change that commits meanwhile stays due: its row was not there to be removed. Returns whether there are more. */
const keepSome = (db: Database, { kept, due, of, keep }: KeptDays): Promise<boolean> =>
  db.transaction(async (tx) => {
    const days = await tx.rows<{ key: string; day: string }>(sql`
      with chosen as (select distinct ${of} as key, day from ${due} limit ${DAYS_AT_ONCE}), removed as (
        delete from ${due} due using chosen where due.${of} = chosen.key and due.day = chosen.day)
      select key, day from chosen`)
    if (days.length === 0) return false
    const [keys, dates] = [days.map(({ key }) => key), days.map(({ day }) => day)]
    const chosen = sql`unnest(${keys}::text[], ${dates}::date[]) as chosen (${of}, day)`
    await tx.run(sql`
      delete from ${kept} kept using ${chosen} where kept.${of} = chosen.${of} and kept.day = chosen.day`)
    await tx.run(keep(chosen))
    return days.length === DAYS_AT_ONCE
  })

/** Days as ranges of time. */
export const rangesOfDays = (of: Sql, days: Sql, condition: Sql = sql`true`): Sql => sql`
  select distinct ${of}, day::timestamp at time zone 'UTC' as since, (day + 1)::timestamp at time zone 'UTC' as until
  from ${days} where ${condition}`

/** The day in UTC, as `2026-11-15`. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)
