import { expect, test } from 'vitest'
import { addDays, dayOf, daysBetween, dayText, isDay } from './day.ts'

test('a day is a UTC day', () => {
  expect(dayOf(Date.parse('2026-11-15T23:59:59Z'))).toBe('2026-11-15')
  expect(dayText('2026-11-05')).toBe('5 Nov')
  expect(dayText('2026-11-05', { hasYear: true })).toBe('5 Nov 2026')
})

test('days are counted over the ends of months and with both ends', () => {
  expect(addDays('2026-11-01', -1)).toBe('2026-10-31')
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(daysBetween('2026-11-01', '2026-11-30')).toBe(30)
  expect(daysBetween('2026-11-15', '2026-11-15')).toBe(1)
})

test.each(['2026-02-30', '2026-13-01', '2026-1-1', 'yesterday', '', '2026-11-15T00:00:00Z'])(
  '%s is no day',
  (text) => {
    expect(isDay(text)).toBe(false)
  },
)

test('2026-11-15 is a day', () => {
  expect(isDay('2026-11-15')).toBe(true)
  expect(isDay(undefined)).toBe(false)
})
