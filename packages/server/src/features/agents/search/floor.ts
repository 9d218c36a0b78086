import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'

/** The number of agents and the distribution of their ratings, from the planner's statistics. */
export interface RatingSpread {
  agentCount: number
  /** Ratings that many agents have, and the share of agents that has each. */
  commonRatings: number[]
  commonShares: number[]
  /** The other ratings as a histogram, ascending: equally many agents lie between any two neighbours. */
  bounds: number[]
}

type Spread = Omit<RatingSpread, 'agentCount'>

/** The rating that about this share of all agents reaches. It is an estimate, so callers must check the result. */
export function ratingReachedBy(share: number, spread: Spread): number {
  let reached = 0
  for (const step of stepsOf(spread)) {
    reached += step.share
    if (reached >= share) return step.rating
  }
  return 0
}

/** The share of all agents that reaches this rating, likewise. */
export function shareReaching(rating: number, spread: Spread): number {
  const reached = stepsOf(spread).filter((step) => step.rating >= rating)
  return reached.reduce((sum, { share }) => sum + share, 0)
}

/** The best first. */
function stepsOf({ commonRatings, commonShares, bounds }: Spread): { rating: number; share: number }[] {
  const otherShare = 1 - commonShares.reduce((sum, common) => sum + common, 0)
  return [
    ...commonRatings.map((rating, index) => ({ rating, share: commonShares[index] ?? 0 })),
    ...bounds.slice(0, -1).map((rating) => ({ rating, share: otherShare / (bounds.length - 1) })),
  ].sort((a, b) => b.rating - a.rating)
}

export function findRatingSpread(db: Queryable): Promise<RatingSpread> {
  return db.one(sql`
    select greatest(reltuples, 0)::float8 as "agentCount",
      coalesce(most_common_vals::text::float8[], '{}') as "commonRatings",
      coalesce(most_common_freqs::float8[], '{}') as "commonShares",
      coalesce(histogram_bounds::text::float8[], '{}') as "bounds"
    from pg_class
      left join pg_stats on schemaname = relnamespace::regnamespace::text and tablename = relname
        and attname = 'score'
    where pg_class.oid = 'agent_listings'::regclass`)
}
