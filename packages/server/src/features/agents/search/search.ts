import type { AgentSearch } from '@agent-marketplace/contract'
import type { Database } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { FoundRow } from '../store.ts'
import { type Matches, matchesByKeys, matchesByValue, matchesInOrder } from './condition.ts'
import { findRatingSpread, ratingReachedBy } from './floor.ts'
import { agentQueryOf, isLookedUp, type SearchLimits, type SearchRun, searchLimits } from './query.ts'
import { collectAll, collectBestRated, type Slice, setSimilarity, walkTo } from './store.ts'
import { straightSort, walkStraight } from './straight.ts'
import { estimateCount, findTotal, type Total } from './total.ts'

export interface SearchPage extends Total {
  rows: FoundRow[]
  limit: number
  offset: number
}

/** With fewer matches than this, names that look like the words are shown too. */
const FEW_MATCHES = 3
const SIMILARITY_THRESHOLD = 0.4
/** So many times the candidates are sought above the estimated rating, because the estimate may err. */
const FLOOR_MARGIN = 1.3
/** Where one agent in so many matches, walking down the ratings meets the candidates sooner than looking them up. */
const FREQUENT_ONE_IN = 5

export interface AgentSearchDeps {
  searchDb: Database
  limits?: SearchLimits
}

type Found = Pick<SearchPage, 'rows' | 'total' | 'totalIsEstimate'>

/**
 * Search over the agents that can be found. It promises the same agents and order as sorting all of them would, at a
 * cost that hardly grows with their number; only `relevance` ranks no more than the 2,000 best-rated matches, and lets
 * the others follow by rating.
 */
export function createAgentSearch({ searchDb, limits = searchLimits }: AgentSearchDeps) {
  return async (search: AgentSearch): Promise<SearchPage> => {
    const query = agentQueryOf(search)
    const { limit, offset } = query
    if (query.isVoid) return { rows: [], total: 0, totalIsEstimate: false, limit, offset }
    const found = await findByWords({ db: searchDb, query, limits })
    if (query.text === '' || found.total >= FEW_MATCHES) return { ...found, limit, offset }
    return searchDb.transaction(async (tx) => {
      await setSimilarity(tx, SIMILARITY_THRESHOLD)
      const similar = await findSimilar({ db: tx, query: { ...query, matching: 'similar' }, limits })
      return { ...similar, limit, offset }
    })
  }
}

/** Few matches are read once, counted and sorted; among many the page is walked to, while another connection counts. */
async function findByWords(run: SearchRun): Promise<Found> {
  const { db, query, limits } = run
  const sort = straightSort(query)
  if (sort !== undefined) {
    const { rows, count } = await walkStraight(run, sort)
    return { rows, total: count, totalIsEstimate: false }
  }
  const mayBeFew = isLookedUp(query) && (await estimateCount(db, query)) <= limits.exactTotal
  const few = mayBeFew ? await findFew(run) : undefined
  if (few) return few
  const [rows, total] = await Promise.all([findPage(run), findTotal(run)])
  return { rows, ...total }
}

async function findSimilar(run: SearchRun): Promise<Found> {
  const few = await findFew(run)
  if (few) return few
  const rows = await findPage(run)
  return { rows, ...(await findTotal(run)) }
}

/** Undefined where there are more than are counted. */
async function findFew(run: SearchRun): Promise<Found | undefined> {
  const { rows, count } = await collectAll(run, matchesByKeys(run.query))
  return count > run.limits.exactTotal ? undefined : { rows, total: count, totalIsEstimate: false }
}

async function findPage(run: SearchRun): Promise<FoundRow[]> {
  const { db, query, limits } = run
  const { sort, limit, offset } = query
  if (sort !== 'relevance') return walkTo(db, matchesInOrder(query, sort), sort, query)
  const ranked =
    offset < limits.ranked
      ? await findRanked(run, { limit: Math.min(limit, limits.ranked - offset), offset })
      : []
  // Behind the ranked ones the rest begins exactly where the candidates ended.
  const restLimit = offset + limit - Math.max(offset, limits.ranked)
  if (restLimit <= 0) return ranked
  const rest = { limit: restLimit, offset: Math.max(offset, limits.ranked) }
  return [...ranked, ...(await walkTo(db, matchesInOrder(query, 'rating'), 'rating', rest))]
}

/** Most matches are rated too low to be ranked: they are left unread, unless too few are left. */
async function findRanked(run: SearchRun, slice: Slice): Promise<FoundRow[]> {
  const { db, query, limits } = run
  const estimate = await estimateCount(db, query)
  const spread = await findRatingSpread(db)
  if (estimate * FREQUENT_ONE_IN > spread.agentCount)
    return (await collectBestRated(run, matchesByValue(query), slice)).rows
  const floor = ratingReachedBy((FLOOR_MARGIN * limits.ranked) / estimate, spread)
  if (floor > 1) {
    const best = await collectBestRated(run, unmarked(matchesByKeys({ ...query, minScore: floor })), slice)
    if (best.count === limits.ranked) return best.rows
  }
  return (await collectBestRated(run, matchesByKeys(query), slice)).rows
}

/** Agents that owe work come behind all others, however well they are rated. */
const unmarked = ({ from, where }: Matches): Matches => ({
  from,
  where: sql`${where} and not found.is_marked`,
})
