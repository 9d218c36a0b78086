import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ratingReachedBy, shareReaching } from './floor.ts'

const spread = { commonRatings: [0, 5], commonShares: [0.4, 0.1], bounds: [1, 2, 3, 4, 4.5, 4.9] }

test('it is the rating that the share of agents reaches', () => {
  expect(ratingReachedBy(0.05, spread)).toBe(5)
  expect(ratingReachedBy(0.2, spread)).toBe(4.5)
  expect(ratingReachedBy(0.3, spread)).toBe(4)
  expect(ratingReachedBy(0.6, spread)).toBe(1)
  expect(ratingReachedBy(0.61, spread)).toBe(0)
})

test('the share that reaches a rating is what the rating was computed for, or more', () => {
  expect(shareReaching(5, spread)).toBeCloseTo(0.1)
  expect(shareReaching(4, spread)).toBeCloseTo(0.3)
  expect(shareReaching(0, spread)).toBeCloseTo(1)
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
      expect(shareReaching(ratingReachedBy(share, spread), spread)).toBeGreaterThan(share - 1e-9)
    }),
  )
})

test('all agents are wanted, or nothing is known of them: no rating is too low', () => {
  expect(ratingReachedBy(2, spread)).toBe(0)
  expect(ratingReachedBy(0.1, { commonRatings: [], commonShares: [], bounds: [] })).toBe(0)
})

test('more agents never need a higher rating', () => {
  const share = fc.double({ min: 0, max: 2, noNaN: true })
  fc.assert(
    fc.property(share, share, (a, b) => {
      expect(ratingReachedBy(Math.max(a, b), spread)).toBeLessThanOrEqual(
        ratingReachedBy(Math.min(a, b), spread),
      )
    }),
  )
})
