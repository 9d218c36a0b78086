import { Format } from 'typebox/format'
import { type MatchBudget, readPattern } from './patterns.ts'

/** What a text must be, as a function that ends; the validator runs it in place of the keyword. */
export interface Refinement {
  check: (value: unknown) => boolean
  error: () => string
}

const MAX_FORMATTED_LENGTH = 2000

const formatWords: ReadonlyMap<string, string> = new Map([
  ['date-time', 'a date and time such as 2026-11-15T09:30:00Z'],
  ['date', 'a date such as 2026-11-15'],
  ['time', 'a time such as 09:30:00Z'],
  ['duration', 'a duration such as P3D'],
  ['email', 'an email address'],
  ['hostname', 'a host name'],
  ['ipv4', 'an IPv4 address'],
  ['ipv6', 'an IPv6 address'],
  ['uri', 'an address such as https://example.com/a'],
  ['uuid', 'a UUID'],
])

/** The rule of a `pattern`, or what is wrong with it. */
export function patternRule(value: unknown, budget: MatchBudget): Refinement | string {
  if (typeof value !== 'string') return 'must be a string'
  const pattern = readPattern(value)
  if (typeof pattern === 'string') return pattern
  let isTooLong = false
  return {
    check(text) {
      if (typeof text !== 'string') return true
      const fits = pattern.fits(text, budget)
      isTooLong = fits === undefined
      return fits ?? false
    },
    error: () => (isTooLong ? 'is too long to be matched with its pattern' : `must match ${pattern.source}`),
  }
}

/** The rule of a `format`, or what is wrong with it. A format that is not known says something to people alone. */
export function formatRule(value: unknown): Refinement | string | undefined {
  if (typeof value !== 'string') return 'must be a string'
  const words = formatWords.get(value)
  if (words === undefined) return undefined
  return {
    check: (text) =>
      typeof text !== 'string' || (text.length <= MAX_FORMATTED_LENGTH && Format.Test(value, text)),
    error: () => `must be ${words}`,
  }
}
