import type { Database } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createDuePages } from '../../../platform/queue/due-work.ts'
import { forEachDue, isUnavailable } from '../../../platform/queue/each-due.ts'
import { createPauses } from '../../../platform/queue/pauses.ts'
import { keepInMinutes } from './busy-days.ts'
import { type Day, type KeptDays, startOf } from './days.ts'
import { keepWhole } from './whole-days.ts'

const DAYS_AT_ONCE = 200
/** Adding up a day with this many entries takes some 20 ms. */
export const BUSY_ABOVE = 1_000

interface Lot {
  id: string
  days: Day[]
}

interface Keeping {
  db: Database
  days: KeptDays
  /** A day with more entries than these is kept in minutes. */
  busyAbove?: number
}

/**
 * Returns a turn of the worker, which runs every few seconds and adds up the days on which something has changed. Quiet days
 * are added up together. If that fails, each day of the lot is added up alone, so that one which takes too long holds up no
 * other.
 */
export function createDayKeeping({ db, days, busyAbove = BUSY_ABOVE }: Keeping) {
  const pauses = createPauses()
  const lotsOf = createDuePages<Lot>({
    async list(after) {
      const found = await listDue(db, days, after?.days.at(-1))
      return found.length === 0 ? [] : [{ id: `a lot of ${found.length} days`, days: found }]
    },
  })
  /** Returns whether it succeeded; rejects only where the database is unavailable. */
  const keepTogether = async (quiet: Day[]): Promise<boolean> => {
    try {
      await keepWhole(db, days, quiet)
    } catch (error) {
      if (isUnavailable(error)) throw error
      return false
    }
    for (const day of quiet) pauses.succeeded(nameOf(day))
    return true
  }
  const keepLot = async (lot: Lot, signal?: AbortSignal): Promise<void> => {
    const ready = lot.days.filter((day) => !pauses.isPaused(nameOf(day)))
    const busy = new Set((await listBusy(db, days, ready, busyAbove)).map(nameOf))
    const isBusy = (day: Day) => busy.has(nameOf(day))
    const quiet = ready.filter((day) => !isBusy(day))
    const areKept = await keepTogether(quiet)
    const alone = areKept ? ready.filter(isBusy) : ready
    await forEachDue(
      alone.map((day) => ({ id: nameOf(day), day })),
      ({ day }) => (isBusy(day) ? keepInMinutes(db, days, day, signal) : keepWhole(db, days, [day])),
      { signal, pauses },
    )
  }
  return (signal?: AbortSignal): Promise<void> => {
    pauses.beginTurn()
    return forEachDue(lotsOf(), (lot) => keepLot(lot, signal), { signal })
  }
}

const nameOf = ({ key, day }: Day): string => `${key} ${day}`

const listDue = (db: Database, { due, of }: KeptDays, after: Day | undefined): Promise<Day[]> =>
  db.rows(sql`
    select distinct ${of} as key, day from ${due}
    where (${of}, day) > (${after?.key ?? ''}, ${after?.day ?? '-infinity'}::date)
    order by key, day limit ${DAYS_AT_ONCE}`)

/** Those of the chosen days that are kept in minutes, or have so many entries that they should be. */
const listBusy = (
  db: Database,
  { kept, entries, of }: KeptDays,
  chosen: Day[],
  busyAbove: number,
): Promise<Day[]> => {
  const [keys, dates] = [chosen.map(({ key }) => key), chosen.map(({ day }) => day)]
  return db.rows(sql`
    select key, day from unnest(${keys}::text[], ${dates}::date[]) as chosen (key, day)
    where exists (select from ${kept} held where held.${of} = chosen.key and held.day = chosen.day and held.in_minutes)
      or ${busyAbove} < (select count(*) from (
        select from ${entries} e
        where e.${of} = chosen.key and e.at >= ${startOf(sql`chosen.day`)} and e.at < ${startOf(sql`chosen.day + 1`)}
        limit ${busyAbove + 1}) counted)`)
}
