import { sql } from '../../../platform/db/sql.ts'
import { type Matches, matchesByKeys, matchesByValue } from './condition.ts'
import { type Expectation, expectMatches } from './expectation.ts'
import { ratingReachedBy } from './floor.ts'
import type { SearchRun } from './query.ts'
import { type Collected, collectBestRated, type Slice } from './store.ts'

/** So many times the candidates are sought above the estimated rating, because the estimate may err: by little, or by half. */
const FLOOR_MARGINS = [1.1, 2]

/** A page of the best-rated matches. Most are rated too low to be among them: they are left unread, unless too few are left. */
export async function collectRanked(
  run: SearchRun,
  slice: Slice,
  expected?: Expectation,
): Promise<Collected> {
  const { query, limits } = run
  const { count, areFrequent, spread } = expected ?? (await expectMatches(run))
  if (areFrequent) return collectBestRated(run, matchesByValue(query), slice)
  for (const margin of FLOOR_MARGINS) {
    const floor = ratingReachedBy((margin * limits.ranked) / count, spread)
    if (floor <= 1) break
    const best = await collectBestRated(run, unmarked(matchesByKeys({ ...query, minScore: floor })), slice)
    if (best.count === limits.ranked) return best
  }
  return collectBestRated(run, matchesByKeys(query), slice)
}

/** Agents that owe work come behind all others, however well they are rated. */
const unmarked = ({ from, where }: Matches): Matches => ({
  from,
  where: sql`${where} and not found.is_marked`,
})
