import type { Database } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createDuePages } from '../../../platform/queue/due-work.ts'
import { forEachDue } from '../../../platform/queue/each-due.ts'
import { createPauses } from '../../../platform/queue/pauses.ts'
import { keepInMinutes } from './busy-days.ts'
import { type Day, type KeptDays, startOf } from './days.ts'
import { keepWhole } from './whole-days.ts'

const DAYS_AT_ONCE = 200
/** With so many entries, adding up a day takes some 20 ms. */
const BUSY_ABOVE = 1_000

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
 * Adds up again the days on which something has changed; a turn of the worker, every few seconds. Where a lot of them fails,
 * each is added up alone, so that one which takes too long keeps no other waiting.
 */
export function createDayKeeping({ db, days, busyAbove = BUSY_ABOVE }: Keeping) {
  const pauses = createPauses()
  const lotsOf = createDuePages<Lot>({
    async list(after) {
      const found = await listDue(db, days, after?.days.at(-1))
      return found.length === 0 ? [] : [{ id: `a lot of ${found.length} days`, days: found }]
    },
  })
  return (signal?: AbortSignal): Promise<void> => {
    pauses.beginTurn()
    const keepEach = (chosen: Day[], keep: (day: Day) => Promise<void>) =>
      forEachDue(
        chosen.map((day) => ({ id: nameOf(day), day })),
        ({ day }) => keep(day),
        { signal, pauses },
      )
    const keepLot = async (lot: Lot): Promise<void> => {
      const ready = lot.days.filter((day) => !pauses.isPaused(nameOf(day)))
      const busy = new Set((await listBusy(db, days, ready, busyAbove)).map(nameOf))
      const quiet = ready.filter((day) => !busy.has(nameOf(day)))
      await keepWhole(db, days, quiet).catch(() => keepEach(quiet, (day) => keepWhole(db, days, [day])))
      await keepEach(
        ready.filter((day) => busy.has(nameOf(day))),
        (day) => keepInMinutes(db, days, day, signal),
      )
    }
    return forEachDue(lotsOf(), keepLot, { signal })
  }
}

const nameOf = ({ key, day }: Day): string => `${key} ${day}`

const listDue = (db: Database, { due, of }: KeptDays, after: Day | undefined): Promise<Day[]> =>
  db.rows(sql`
    select distinct ${of} as key, day from ${due}
    where (${of}, day) > (${after?.key ?? ''}, ${after?.day ?? '-infinity'}::date)
    order by key, day limit ${DAYS_AT_ONCE}`)

/** Those that are kept in minutes, or have so many entries that they should be. */
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
