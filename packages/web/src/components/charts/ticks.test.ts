import { describe, expect, test } from 'vitest'
import { dayTicks, roundTicks } from './ticks.ts'

describe('roundTicks', () => {
  test.each([
    [0, [0, 0.5, 1]],
    [1, [0, 0.5, 1]],
    [0.3, [0, 0.1, 0.2, 0.3]],
    [147, [0, 50, 100, 150]],
    [186.98, [0, 50, 100, 150, 200]],
    [200, [0, 50, 100, 150, 200]],
    [201, [0, 100, 200, 300]],
    [5880, [0, 2000, 4000, 6000]],
    [1_234_567, [0, 500_000, 1_000_000, 1_500_000]],
  ])('up to %s: %j', (largest, ticks) => {
    expect(roundTicks(largest)).toEqual(ticks)
  })

  test('what is counted has no halves', () => {
    expect(roundTicks(1, { isWhole: true })).toEqual([0, 1])
    expect(roundTicks(3, { isWhole: true })).toEqual([0, 1, 2, 3])
    expect(roundTicks(0, { isWhole: true })).toEqual([0, 1])
  })

  test('there are few, in equal steps, and none is missing at the top', () => {
    for (let largest = 0.013; largest < 1e9; largest *= 1.37) {
      const ticks = roundTicks(largest)
      const step = ticks[1] ?? 0
      expect(ticks.length).toBeLessThanOrEqual(6)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(largest * (1 - 1e-9))
      for (const [index, tick] of ticks.entries()) expect(tick).toBeCloseTo(index * step, 6)
    }
  })
})

test.each([
  [1, [0]],
  [7, [0, 2, 4, 6]],
  [30, [1, 8, 15, 22, 29]],
  [90, [5, 33, 61, 89]],
  [366, [1, 92, 183, 274, 365]],
])('%s days have labels at %j', (count, places) => {
  expect(dayTicks(count)).toEqual(places)
})
