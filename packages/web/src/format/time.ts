const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const parts = [
  { ms: DAY_MS, unit: 'd' },
  { ms: HOUR_MS, unit: 'h' },
  { ms: MINUTE_MS, unit: 'min' },
  { ms: SECOND_MS, unit: 's' },
] as const

/** The largest parts of a span, never rounded up: "6 d 23 h", "4 min 9 s". */
export function timeSpan(durationMs: number, partCount = 2): string {
  const values = parts.map(({ ms, unit }, index) => {
    const larger = parts[index - 1]?.ms
    return { value: Math.floor((larger === undefined ? durationMs : durationMs % larger) / ms), unit }
  })
  const first = values.findIndex(({ value }) => value > 0)
  if (first === -1) return '0 s'
  return values
    .slice(first, first + partCount)
    .filter(({ value }, index) => index === 0 || value > 0)
    .map(({ value, unit }) => `${value} ${unit}`)
    .join(' ')
}

/** "3 h ago", "in 1 d 23 h", "just now"; what is more than 30 days away has its date. */
export function relativeTime(atMs: number, nowMs: number): string {
  const distanceMs = Math.abs(nowMs - atMs)
  if (distanceMs > 30 * DAY_MS) return shortDate(atMs)
  if (distanceMs < MINUTE_MS) return atMs > nowMs ? 'in a moment' : 'just now'
  return atMs > nowMs ? `in ${timeSpan(distanceMs)}` : `${timeSpan(distanceMs, 1)} ago`
}

/** What is left until then. */
export function timeLeft(untilMs: number, nowMs: number): string {
  return timeSpan(Math.max(0, untilMs - nowMs))
}

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** "24 hours" and "3 days" as sellers promise them. */
export function deliveryTime(hours: number): string {
  return hours >= 48 && hours % 24 === 0 ? plural(hours / 24, 'day') : plural(hours, 'hour')
}

/** "5 Nov 2026". */
export function shortDate(atMs: number): string {
  return new Date(atMs).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
}

/** "November 2026", of "2026-11". */
export function monthName(month: string): string {
  const options = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-GB', options)
}

/** "14:05:09". */
export function clockTime(atMs: number): string {
  return new Date(atMs).toLocaleTimeString('en-GB')
}

/** "5 Nov 2026, 14:05", where the reader is. */
export function localTime(atMs: number, { hasYear = true }: { hasYear?: boolean } = {}): string {
  return new Date(atMs).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(hasYear && { year: 'numeric' }),
  })
}

/** "2026-11-05 13:05:09 UTC": the same for every reader, as logs and chains write it. */
export function utcTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** What stands on hover: where the reader is, and for all. */
export function exactTime(atMs: number): string {
  return `${localTime(atMs)} · ${utcTime(atMs)}`
}
