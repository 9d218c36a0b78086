import { invalidField } from '@agent-marketplace/contract'
import { addSeconds } from '../../platform/clock/clock.ts'

/** From `from` up to, and without, `to`. */
export interface Period {
  from: Date
  to: Date
}

const SERIES_DAYS = 30
export const SERIES_DAYS_MAX = 366
const DAY_SECONDS = 24 * 3600
const YEARS = { first: 2020, last: 2100 }

interface DateRange {
  startDate?: string | undefined
  endDate?: string | undefined
}

/** What a list covers: everything, unless the filter says otherwise. */
export function periodOf({ startDate, endDate }: DateRange): Partial<Period> {
  const from = startDate === undefined ? undefined : parseMoment('/startDate', startDate)
  const to = endDate === undefined ? undefined : endOf('/endDate', endDate)
  if (from && to && from >= to) throw invalidField('/endDate', 'is before startDate')
  return { ...(from && { from }), ...(to && { to }) }
}

/** What a series covers: the last 30 days up to today, or up to the end that is given; 366 days at most. */
export function seriesPeriodOf(range: DateRange, now: Date): Period {
  const given = periodOf(range)
  const to = given.to ?? addSeconds(startOfDay(now), DAY_SECONDS)
  const lastDay = startOfDay(addSeconds(to, -0.001))
  const from = given.from ?? addSeconds(lastDay, -(SERIES_DAYS - 1) * DAY_SECONDS)
  if (from >= to) throw invalidField('/startDate', 'is in the future')
  if (daysOf({ from, to }).length > SERIES_DAYS_MAX) {
    throw invalidField('/startDate', `is more than ${SERIES_DAYS_MAX} days before the end`)
  }
  return { from, to }
}

/** The days in UTC that a period touches, oldest first, as `2026-11-15`. */
export function daysOf({ from, to }: Period): string[] {
  const days: string[] = []
  for (
    let day = startOfDay(from);
    day < to && days.length <= SERIES_DAYS_MAX;
    day = addSeconds(day, DAY_SECONDS)
  )
    days.push(day.toISOString().slice(0, 10))
  return days
}

function startOfDay(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()))
}

/** A day means the whole of it, a moment the moment itself. */
function endOf(path: string, text: string): Date {
  const moment = parseMoment(path, text)
  return addSeconds(moment, text.includes('T') ? 0.001 : DAY_SECONDS)
}

/** The schema has seen to the shape; what it cannot see is whether such a day exists. Without a zone it is UTC. */
function parseMoment(path: string, text: string): Date {
  const hasZone = /(Z|[+-]\d\d:\d\d)$/.test(text)
  const moment = new Date(text.includes('T') && !hasZone ? `${text}Z` : text)
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number)
  const isRealDay = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
  if (Number.isNaN(moment.getTime()) || !isRealDay) throw invalidField(path, 'is not a date')
  if (year < YEARS.first || year > YEARS.last) {
    throw invalidField(path, `is not between ${YEARS.first} and ${YEARS.last}`)
  }
  return moment
}
