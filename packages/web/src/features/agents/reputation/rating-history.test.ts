import { expect, test } from 'vitest'
import { daysOf, ratingHistory } from './rating-history.ts'

const review = (id: string, rating: number, counted = true) => ({
  id,
  rating,
  counted,
  createdAt: `2026-11-0${id}T00:00:00.000Z`,
})

test('the average after each review, oldest first, and own jobs left out', () => {
  const newestFirst = [review('4', 2), review('3', 5, false), review('2', 5), review('1', 4)]
  const points = ratingHistory({ ratingSum: 11, ratingCount: 3 }, newestFirst)
  expect(points.map(({ reviewId, average }) => [reviewId, average])).toEqual([
    ['1', 4],
    ['2', 4.5],
    ['4', 11 / 3],
  ])
})

test('the newest reviews are enough: the older ones are in the sums', () => {
  const [only] = ratingHistory({ ratingSum: 405, ratingCount: 100 }, [review('9', 5)])
  expect(only?.average).toBe(4.05)
})

test('an agent without reviews has no history', () => {
  expect(ratingHistory({ ratingSum: 0, ratingCount: 0 }, [])).toEqual([])
})

test('reviews of one day have one date below their chart', () => {
  const at = (time: string) => ({ atMs: Date.parse(time) })
  expect(daysOf([at('2026-10-31T08:00:00Z'), at('2026-10-31T12:00:00Z')])).toEqual(['31 Oct 2026'])
  expect(daysOf([at('2026-10-30T08:00:00Z'), at('2026-10-31T12:00:00Z')])).toEqual([
    '30 Oct 2026',
    '31 Oct 2026',
  ])
})
