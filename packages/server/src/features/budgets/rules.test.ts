import { describe, expect, test } from 'vitest'
import {
  checkCaps,
  dayOf,
  isSameDay,
  leftOf,
  monthOf,
  nextDayOf,
  nextMonthOf,
  nothing,
  withReserved,
} from './rules.ts'

const at = (text: string) => new Date(text)
const none = { perJobMicro: null, perDayMicro: null, perMonthMicro: null, totalMicro: null }
const noSums = { day: nothing, month: nothing, total: nothing }
const now = at('2026-11-16T10:00:00Z')

describe('days and months', () => {
  test.each([
    ['2026-12-31T23:59:59.999Z', '2026-12-31', '2027-01-01', '2026-12-01', '2027-01-01'],
    ['2028-02-29T00:00:00.000Z', '2028-02-29', '2028-03-01', '2028-02-01', '2028-03-01'],
    ['2026-03-28T23:30:00-02:00', '2026-03-29', '2026-03-30', '2026-03-01', '2026-04-01'],
  ])('of %s are those of UTC', (moment, day, nextDay, month, nextMonth) => {
    const found = [dayOf, nextDayOf, monthOf, nextMonthOf].map((start) => start(at(moment)).toISOString())
    expect(found).toEqual([day, nextDay, month, nextMonth].map((date) => `${date}T00:00:00.000Z`))
  })

  test('end at midnight', () => {
    expect(isSameDay(at('2026-11-16T00:00:00Z'), at('2026-11-16T23:59:59.999Z'))).toBe(true)
    expect(isSameDay(at('2026-11-16T23:59:59.999Z'), at('2026-11-17T00:00:00Z'))).toBe(false)
  })
})

describe('caps', () => {
  test('take the last micro-unit and not one more', () => {
    const sums = { ...noSums, day: { spentMicro: 2n, reservedMicro: 3n } }
    expect(() => checkCaps({ ...none, perDayMicro: 10n }, sums, 5n, now)).not.toThrow()
    expect(() => checkCaps({ ...none, perDayMicro: 10n }, sums, 6n, now)).toThrow(
      expect.objectContaining({
        code: 'BUDGET_EXCEEDED',
        details: {
          limit: 'DAY',
          cap: '10',
          spent: '2',
          reserved: '3',
          left: '5',
          required: '6',
          resetsAt: '2026-11-17T00:00:00.000Z',
        },
      }),
    )
  })

  test.each([
    ['perJobMicro', 'PER_JOB', null],
    ['perMonthMicro', 'MONTH', '2026-12-01T00:00:00.000Z'],
    ['totalMicro', 'TOTAL', null],
  ])('%s is %s', (cap, limit, resetsAt) => {
    expect(() => checkCaps({ ...none, [cap]: 1n }, noSums, 2n, now)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ limit, resetsAt }) }),
    )
  })

  test('are refused in words, with what is left and what it costs', () => {
    const sums = {
      day: { spentMicro: 1_000_000n, reservedMicro: 0n },
      month: { spentMicro: 2_000_000n, reservedMicro: 0n },
      total: { spentMicro: 3_000_000n, reservedMicro: 500_000n },
    }
    const refused = (caps: object, words: string) =>
      expect(() => checkCaps({ ...none, ...caps }, sums, 9_000_000n, now)).toThrow(
        `This credential may spend at most 4.00 USDC ${words} USDC is left, and this costs 9.00 USDC. Nothing was charged.`,
      )
    refused({ perJobMicro: 4_000_000n }, 'for one job, of which 4.00')
    refused({ perDayMicro: 4_000_000n }, 'in a day, of which 3.00')
    refused({ perMonthMicro: 4_000_000n }, 'in a month, of which 2.00')
    refused({ totalMicro: 4_000_000n }, 'in all, of which 0.50')
  })

  test('are checked with what a hire reserves in the day, the month and all', () => {
    const sum = (spentMicro: bigint) => ({ spentMicro, reservedMicro: 1n })
    expect(withReserved({ day: sum(1n), month: sum(2n), total: sum(3n) }, 5n)).toEqual({
      day: { spentMicro: 1n, reservedMicro: 6n },
      month: { spentMicro: 2n, reservedMicro: 6n },
      total: { spentMicro: 3n, reservedMicro: 6n },
    })
  })

  test('that there are none of stop nothing', () => {
    expect(() => checkCaps(none, noSums, 10n ** 15n, now)).not.toThrow()
  })

  test('leave nothing, and never less, once they are passed', () => {
    expect(leftOf(1n, { spentMicro: 2n, reservedMicro: 0n })).toBe(0n)
  })
})
