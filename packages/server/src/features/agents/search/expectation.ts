import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import { matchesByValue } from './condition.ts'
import { findRatingSpread, type RatingSpread } from './floor.ts'
import type { AgentQuery, SearchRun } from './query.ts'
import { planned } from './store.ts'

/** What the planner expects of a query, from the statistics that it keeps. It may err. */
export interface Expectation {
  count: number
  /** Walking in the order of an index meets the matches sooner than looking them up. */
  areFrequent: boolean
  spread: RatingSpread
}

/** Where one agent in so many matches, matches are frequent. */
const FREQUENT_ONE_IN = 5

export async function expectMatches({ db, query }: SearchRun): Promise<Expectation> {
  const count = await estimateCount(db, query)
  const spread = await findRatingSpread(db)
  return { count, areFrequent: count * FREQUENT_ONE_IN > spread.agentCount, spread }
}

export async function estimateCount(db: Queryable, query: AgentQuery): Promise<number> {
  const { from, where } = matchesByValue(query)
  const { 'QUERY PLAN': plan } = await db.one<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    planned(sql`explain (format json) select 1 from ${from} where ${where}`),
  )
  return plan[0].Plan['Plan Rows']
}
