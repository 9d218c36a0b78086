import { expect, test } from 'vitest'
import { deliveryTime, relativeTime, timeLeft } from './time.ts'

const now = Date.parse('2026-11-15T09:00:00Z')
const hours = (count: number) => now + count * 3_600_000

test.each([
  [now, 'just now'],
  [now - 59_000, 'just now'],
  [now + 5_000, 'in a moment'],
  [now - 60_000, '1 minute ago'],
  [hours(-3), '3 hours ago'],
  [hours(48), 'in 2 days'],
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
