import { addDays, dayOf, daysBetween, isDay } from '../../format/day.ts'

/** The first and the last day; both count. */
export interface DayRange {
  startDate: string
  endDate: string
}

const DEFAULT_DAYS = 30
/** The service's series ends here. */
export const MOST_DAYS = 366

export const presets = [
  { days: 7, label: '7 days' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: '12 months' },
] as const

export function lastDays(days: number, nowMs: number): DayRange {
  const endDate = dayOf(nowMs)
  return { startDate: addDays(endDate, 1 - days), endDate }
}

/** The range of the address, or the last 30 days where it has none that makes sense. */
export function rangeOf({ startDate, endDate }: Partial<DayRange>, nowMs: number): DayRange {
  const standard = lastDays(DEFAULT_DAYS, nowMs)
  const last = isDay(endDate) ? endDate : standard.endDate
  const first = isDay(startDate) ? startDate : addDays(last, 1 - DEFAULT_DAYS)
  const days = daysBetween(first, last)
  return days >= 1 && days <= MOST_DAYS ? { startDate: first, endDate: last } : standard
}

/** As many days again, right before. */
export function rangeBefore({ startDate, endDate }: DayRange): DayRange {
  const days = daysBetween(startDate, endDate)
  return { startDate: addDays(startDate, -days), endDate: addDays(startDate, -1) }
}

/** earnings-2026-10-17-to-2026-11-15.csv */
export const exportName = (what: string, { startDate, endDate }: DayRange): string =>
  `${what}-${startDate}-to-${endDate}.csv`
