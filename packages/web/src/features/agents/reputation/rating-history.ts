import type { Reputation, Review } from '@agent-marketplace/contract'
import { shortDate } from '../../../format/time.ts'

export interface RatingPoint {
  reviewId: string
  atMs: number
  rating: number
  /** The average right after this review. */
  average: number
}

/**
 * How the average came to be, oldest first. It is walked backwards from today's sums, so that the newest reviews are
 * enough to draw it exactly, however many there were before.
 */
export function ratingHistory(
  { ratingSum, ratingCount }: Pick<Reputation, 'ratingSum' | 'ratingCount'>,
  newestFirst: readonly Pick<Review, 'id' | 'rating' | 'counted' | 'createdAt'>[],
): RatingPoint[] {
  const points: RatingPoint[] = []
  let sum = ratingSum
  let count = ratingCount
  for (const { id, rating, counted, createdAt } of newestFirst) {
    if (!counted || count === 0) continue
    points.push({ reviewId: id, atMs: Date.parse(createdAt), rating, average: sum / count })
    sum -= rating
    count -= 1
  }
  return points.reverse()
}

/** Its first and its last day, or the one day that all of it is from. */
export const daysOf = (points: readonly Pick<RatingPoint, 'atMs'>[]): string[] => [
  ...new Set([points.at(0), points.at(-1)].flatMap((point) => (point ? [shortDate(point.atMs)] : []))),
]
