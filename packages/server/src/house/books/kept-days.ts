import type { Database } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { createDuePages } from '../../platform/queue/due-work.ts'
import { forEachDue } from '../../platform/queue/each-due.ts'
import { createPauses } from '../../platform/queue/pauses.ts'

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

interface Day {
  /** Whose it is. */
  key: string
  day: string
}

interface Lot {
  id: string
  days: Day[]
}

/**
 * Adds up again the days on which something has changed; a turn of the worker, every few seconds. Where a lot of them fails,
 * each is added up alone, so that one which takes too long keeps no other waiting.
 */
export function createDayKeeping({ db, days }: { db: Database; days: KeptDays }) {
  const pauses = createPauses()
  const lotsOf = createDuePages<Lot>({
    async list(after) {
      const found = await listDue(db, days, after?.days.at(-1))
      return found.length === 0 ? [] : [{ id: `a lot of ${found.length} days`, days: found }]
    },
  })
  return (signal?: AbortSignal): Promise<void> => {
    pauses.beginTurn()
    const keepLot = async (lot: Lot): Promise<void> => {
      const alone = lot.days.map((day) => ({ id: `${day.key} ${day.day}`, day }))
      const ready = alone.filter(({ id }) => !pauses.isPaused(id))
      const keepAlone = () => forEachDue(ready, ({ day }) => keep(db, days, [day]), { signal, pauses })
      await keep(
        db,
        days,
        ready.map(({ day }) => day),
      ).catch(keepAlone)
    }
    return forEachDue(lotsOf(), keepLot, { signal })
  }
}

const listDue = (db: Database, { due, of }: KeptDays, after: Day | undefined): Promise<Day[]> =>
  db.rows(sql`
    select distinct ${of} as key, day from ${due}
    where (${of}, day) > (${after?.key ?? ''}, ${after?.day ?? '-infinity'}::date)
    order by key, day limit ${DAYS_AT_ONCE}`)

/** A change that commits meanwhile stays due: its row was not there to be removed. */
const keep = (db: Database, days: KeptDays, chosenDays: readonly Day[]): Promise<void> =>
  db.transaction(async (tx) => {
    const [keys, dates] = [chosenDays.map(({ key }) => key), chosenDays.map(({ day }) => day)]
    const chosen = sql`unnest(${keys}::text[], ${dates}::date[]) as chosen (${days.of}, day)`
    const remove = (from: Sql) =>
      tx.run(sql`
        delete from ${from} held using ${chosen} where held.${days.of} = chosen.${days.of} and held.day = chosen.day`)
    await remove(days.due)
    await remove(days.kept)
    await tx.run(days.keep(chosen))
  })

/** Days as ranges of time. */
export const rangesOfDays = (of: Sql, days: Sql, condition: Sql = sql`true`): Sql => sql`
  select distinct ${of}, day::timestamp at time zone 'UTC' as since, (day + 1)::timestamp at time zone 'UTC' as until
  from ${days} where ${condition}`

/** The day in UTC, as `2026-11-15`. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)
