const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const steps = [
  { ms: DAY_MS, unit: 'day' },
  { ms: HOUR_MS, unit: 'hour' },
  { ms: MINUTE_MS, unit: 'minute' },
] as const

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** "3 hours", "2 days", "a moment". */
export function timeSpan(durationMs: number): string {
  const step = steps.find(({ ms }) => durationMs >= ms)
  return step ? plural(Math.floor(durationMs / step.ms), step.unit) : 'a moment'
}

/** "3 hours ago", "in 2 days", "just now". */
export function relativeTime(atMs: number, nowMs: number): string {
  const distanceMs = Math.abs(nowMs - atMs)
  if (distanceMs > 30 * DAY_MS) return shortDate(atMs)
  if (atMs > nowMs) return `in ${timeSpan(distanceMs)}`
  return distanceMs < MINUTE_MS ? 'just now' : `${timeSpan(distanceMs)} ago`
}

/** The two largest parts of what is left: "6 d 23 h", "4 min 9 s". */
export function timeLeft(untilMs: number, nowMs: number): string {
  const leftMs = Math.max(0, untilMs - nowMs)
  const parts = [
    { value: Math.floor(leftMs / DAY_MS), unit: 'd' },
    { value: Math.floor((leftMs % DAY_MS) / HOUR_MS), unit: 'h' },
    { value: Math.floor((leftMs % HOUR_MS) / MINUTE_MS), unit: 'min' },
    { value: Math.floor((leftMs % MINUTE_MS) / SECOND_MS), unit: 's' },
  ]
  const first = parts.findIndex(({ value }) => value > 0)
  if (first === -1) return '0 s'
  return parts
    .slice(first, first + 2)
    .filter(({ value }, index) => index === 0 || value > 0)
    .map(({ value, unit }) => `${value} ${unit}`)
    .join(' ')
}

/** "24 hours" and "3 days" as sellers promise them. */
export function deliveryTime(hours: number): string {
  return hours >= 48 && hours % 24 === 0 ? plural(hours / 24, 'day') : plural(hours, 'hour')
}

export function shortDate(atMs: number): string {
  return new Date(atMs).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
}

export function exactDate(atMs: number): string {
  return new Date(atMs).toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'long' })
}
