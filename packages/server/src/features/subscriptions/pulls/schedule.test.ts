import { priceForQuota } from '@agent-marketplace/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { upgradeCharge } from '../rules.ts'
import { isWhole, nextPullAfter, nextRetry, periodAt, renewalStep, timeOf } from './schedule.ts'

const DAY = 24 * 3600
const grids = fc.record({
  start: fc.integer({ min: 0, max: 2_000_000_000 }),
  period: fc.integer({ min: DAY, max: 31 * DAY }),
  elapsed: fc.integer({ min: 0, max: 400_000_000 }),
})
const FOREVER = 2 ** 48 - 1

describe('periods', () => {
  test('every second lies in exactly one period, which stands on the grid', () => {
    fc.assert(
      fc.property(grids, ({ start, period, elapsed }) => {
        const at = start + elapsed
        const found = periodAt({ start, period, end: FOREVER }, at)
        expect(found.start).toBeLessThanOrEqual(at)
        expect(found.end).toBeGreaterThan(at)
        expect(found.end - found.start).toBe(period)
        expect((found.start - start) % period).toBe(0)
        expect(periodAt({ start, period, end: FOREVER }, found.end).start).toBe(found.end)
      }),
    )
  })

  test('there is none before the start', () => {
    expect(() => periodAt({ start: 10, period: DAY, end: FOREVER }, 9)).toThrow(RangeError)
  })

  test('the next pull is at the end of the paid period, or never when the permission ends within the next', () => {
    const grid = { start: 0, period: DAY, end: 2 * DAY }
    expect(nextPullAfter(grid, DAY)).toEqual(timeOf(DAY))
    expect(nextPullAfter({ ...grid, end: 2 * DAY - 1 }, DAY)).toBeNull()
    expect(isWhole(grid, { start: DAY, end: 2 * DAY })).toBe(true)
  })
})

test('retries climb the ladder from the first failure, whatever was slept through', () => {
  const since = timeOf(1_000_000)
  const after = (seconds: number) => nextRetry(since, timeOf(1_000_000 + seconds))
  expect(after(0)).toEqual(timeOf(1_000_000 + 3600))
  expect(after(3600)).toEqual(timeOf(1_000_000 + DAY))
  expect(after(2 * DAY)).toEqual(timeOf(1_000_000 + 3 * DAY))
  expect(after(5 * DAY)).toBeNull()
})

describe('what a subscription needs', () => {
  const grid = { start: 0, period: 30 * DAY, end: FOREVER }
  const paid = { nextPullAt: timeOf(30 * DAY), currentPeriodEnd: timeOf(30 * DAY), pastDueSince: null }
  test.each([
    ['nothing yet', paid, 30 * DAY - 1, { step: 'wait' }],
    ['a pull', paid, 30 * DAY, { step: 'pull', period: { start: 30 * DAY, end: 60 * DAY } }],
    [
      'a pull for the period that runs',
      paid,
      65 * DAY,
      { step: 'pull', period: { start: 60 * DAY, end: 90 * DAY } },
    ],
    ['an end', { ...paid, nextPullAt: null }, 30 * DAY, { step: 'cancel', reason: 'EXPIRED' }],
    [
      'patience',
      { ...paid, nextPullAt: null, pastDueSince: timeOf(30 * DAY) },
      37 * DAY - 1,
      { step: 'wait' },
    ],
    [
      'no more patience',
      { ...paid, nextPullAt: null, pastDueSince: timeOf(30 * DAY) },
      37 * DAY,
      { step: 'cancel', reason: 'UNPAID' },
    ],
  ])('%s', (_name, subscription, at, expected) => {
    expect(renewalStep(subscription, grid, timeOf(at))).toEqual(expected)
  })

  test('a last period that the permission cuts short is not sold', () => {
    expect(renewalStep(paid, { ...grid, end: 60 * DAY - 1 }, timeOf(30 * DAY))).toEqual({
      step: 'cancel',
      reason: 'EXPIRED',
    })
  })
})

test('an upgrade costs what is left of the difference: never nothing, never more than the difference, in whole micro-units', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9_999 }),
      fc.integer({ min: 1, max: 9_999 }),
      fc.integer({ min: DAY, max: 31 * DAY }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (oldQuota, more, periodSeconds, share) => {
        const newQuota = Math.min(10_000, oldQuota + more)
        const remaining = Math.max(600, Math.floor(periodSeconds * share))
        const end = 2_000_000_000
        const terms = {
          plan: 'AGENT_QUOTA',
          agentQuota: newQuota,
          priceMicro: priceForQuota(newQuota),
        } as const
        const current = {
          status: 'ACTIVE',
          agentQuota: oldQuota,
          priceMicro: priceForQuota(oldQuota),
          currentPeriodEnd: timeOf(end),
        }
        const { amountMicro, period } = upgradeCharge(current, terms, {
          periodSeconds,
          now: timeOf(end - remaining),
        })
        const difference = priceForQuota(newQuota) - priceForQuota(oldQuota)
        expect(amountMicro).toBeGreaterThan(0n)
        expect(amountMicro).toBeLessThanOrEqual(difference)
        expect(amountMicro * BigInt(periodSeconds)).toBeLessThanOrEqual(difference * BigInt(remaining))
        expect((amountMicro + 1n) * BigInt(periodSeconds)).toBeGreaterThan(difference * BigInt(remaining))
        expect(period).toEqual({ start: end - periodSeconds, end })
      },
    ),
  )
})
