import { describe, expect, test } from 'vitest'
import { daysOf, periodOf, seriesPeriodOf } from './period.ts'

const now = new Date('2026-11-15T12:00:00.000Z')
const iso = ({ from, to }: { from?: Date; to?: Date }) => [from?.toISOString(), to?.toISOString()]

describe('periodOf', () => {
  test('everything where nothing is given', () => {
    expect(periodOf({})).toEqual({})
  })

  test('a date alone means its whole day in UTC', () => {
    expect(iso(periodOf({ startDate: '2026-11-01', endDate: '2026-11-01' }))).toEqual([
      '2026-11-01T00:00:00.000Z',
      '2026-11-02T00:00:00.000Z',
    ])
  })

  test('a moment is meant as it stands, without a zone in UTC', () => {
    expect(iso(periodOf({ startDate: '2026-11-01T10:00', endDate: '2026-11-01T12:00:00+02:00' }))).toEqual([
      '2026-11-01T10:00:00.000Z',
      '2026-11-01T10:00:00.001Z',
    ])
  })

  test.each([
    [{ startDate: '2026-02-30' }],
    [{ endDate: '2027-02-29' }],
    [{ startDate: '2019-12-31' }],
    [{ endDate: '2101-01-01' }],
    [{ startDate: '2026-11-01T10:00:00+99:00' }],
    [{ startDate: '2026-11-02', endDate: '2026-11-01' }],
  ])('refuses %j', (range) => {
    expect(() => periodOf(range)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }))
  })
})

describe('seriesPeriodOf', () => {
  test('the last 30 days, today included', () => {
    const days = daysOf(seriesPeriodOf({}, now))
    expect(days).toHaveLength(30)
    expect([days[0], days.at(-1)]).toEqual(['2026-10-17', '2026-11-15'])
  })

  test('30 days up to a given end, and from a given start up to today', () => {
    expect(daysOf(seriesPeriodOf({ endDate: '2026-03-01' }, now))[0]).toBe('2026-01-31')
    expect(daysOf(seriesPeriodOf({ startDate: '2026-11-14T23:59' }, now))).toEqual([
      '2026-11-14',
      '2026-11-15',
    ])
  })

  test('366 days pass, 367 do not, nor does a start in the future', () => {
    expect(daysOf(seriesPeriodOf({ startDate: '2024-01-01', endDate: '2024-12-31' }, now))).toHaveLength(366)
    const tooLong = { startDate: '2024-01-01', endDate: '2025-01-01' }
    expect(() => seriesPeriodOf(tooLong, now)).toThrow('366')
    expect(() => seriesPeriodOf({ startDate: '2026-11-16' }, now)).toThrow('future')
  })
})
