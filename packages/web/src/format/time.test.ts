import { expect, test } from 'vitest'
import { deliveryTime, exactTime, monthName, relativeTime, timeLeft, timeSpan } from './time.ts'

const now = Date.parse('2026-11-15T09:00:00Z')
const hours = (count: number) => now + count * 3_600_000

test.each([
  [now, 'just now'],
  [now - 59_000, 'just now'],
  [now + 5_000, 'in a moment'],
  [now - 60_000, '1 min ago'],
  [hours(-3.9), '3 h ago'],
  [hours(-47), '1 d ago'],
  [hours(48), 'in 2 d'],
  [hours(48) - 1, 'in 1 d 23 h'],
  [hours(-24 * 40), '6 Oct 2026'],
])('%s is %s', (atMs, words) => {
  expect(relativeTime(atMs, now)).toBe(words)
})

test.each([
  [hours(7 * 24) - 1, '6 d 23 h'],
  [hours(48), '2 d'],
  [now + 249_000, '4 min 9 s'],
  [now + 9_000, '9 s'],
  [now, '0 s'],
  [now - 1, '0 s'],
])('until %s is %s', (untilMs, words) => {
  expect(timeLeft(untilMs, now)).toBe(words)
})

test('delivery times are said in the unit that fits', () => {
  expect([1, 24, 36, 48, 72].map(deliveryTime)).toEqual([
    '1 hour',
    '24 hours',
    '36 hours',
    '2 days',
    '3 days',
  ])
})

test('what is ahead and what is left are said alike', () => {
  for (const ahead of [hours(47.9), hours(5.5), now + 61_000]) {
    expect(relativeTime(ahead, now)).toBe(`in ${timeLeft(ahead, now)}`)
    expect(timeSpan(ahead - now)).toBe(timeLeft(ahead, now))
  }
})

test('the exact time has the hour of everybody in it', () => {
  expect(exactTime(now)).toMatch(/^15 Nov 2026, \d\d:00 · 2026-11-15 09:00:00 UTC$/)
})

test('a month has its name, wherever the reader is', () => {
  expect(monthName('2026-11')).toBe('November 2026')
  expect(monthName('2026-01')).toBe('January 2026')
})
