const DAY_MS = 24 * 3_600_000

/** Days are UTC, as the service counts them: 2026-11-15. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

function dayMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}

export function addDays(day: string, count: number): string {
  return dayOf(dayMs(day) + count * DAY_MS)
}

/** Both ends count. */
export function daysBetween(first: string, last: string): number {
  return Math.round((dayMs(last) - dayMs(first)) / DAY_MS) + 1
}

export function isDay(text: string | undefined): text is string {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const atMs = dayMs(text)
  return !Number.isNaN(atMs) && dayOf(atMs) === text
}

/** "15 Nov", with the year where it is requested. */
export function dayText(day: string, { hasYear = false }: { hasYear?: boolean } = {}): string {
  return new Date(dayMs(day)).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    ...(hasYear ? { year: 'numeric' } : {}),
  })
}
