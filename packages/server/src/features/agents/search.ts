import type { AgentSearch } from '@agent-marketplace/contract'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type AgentQuery, agentQueryOf, conditionOf, type Matching, orders, rankOf } from './search-query.ts'
import {
  countListed,
  countUpTo,
  estimateCount,
  findRanked,
  findSorted,
  RANKED_LIMIT,
  setSimilarity,
} from './search-store.ts'
import type { FoundRow } from './store.ts'

export interface SearchPage {
  rows: FoundRow[]
  total: number
  /** True where the matches are too many to count each time. */
  totalIsEstimate: boolean
  limit: number
  offset: number
}

const EXACT_TOTAL_LIMIT = 10_000
/** With fewer matches than this, names that look like the words are shown too. */
const FEW_MATCHES = 3
const SIMILARITY_THRESHOLD = 0.4

type Total = Pick<SearchPage, 'total' | 'totalIsEstimate'>

/**
 * Search over the agents that can be found. It promises the same agents and order as sorting all of them would, at a
 * cost that hardly grows with their number; only `relevance` ranks no more than the 2,000 best-rated matches, and lets the others
 * follow by rating.
 */
export function createAgentSearch({ searchDb }: { searchDb: Database }) {
  return async (search: AgentSearch): Promise<SearchPage> => {
    const query = agentQueryOf(search)
    const { limit, offset } = query
    const [rows, total] = await Promise.all([
      findPage(searchDb, query, 'words'),
      findTotal(searchDb, query, 'words'),
    ])
    if (query.text === '' || total.total >= FEW_MATCHES) return { rows, ...total, limit, offset }
    return searchDb.transaction(async (tx) => {
      await setSimilarity(tx, SIMILARITY_THRESHOLD)
      const similar = await findPage(tx, query, 'similar')
      return { rows: similar, ...(await findTotal(tx, query, 'similar')), limit, offset }
    })
  }
}

async function findPage(db: Queryable, query: AgentQuery, matching: Matching): Promise<FoundRow[]> {
  const { sort, limit, offset } = query
  const condition = conditionOf(query, matching)
  if (sort !== 'relevance') return findSorted(db, condition, orders[sort], { limit, offset })
  const order = orders.rating
  const ranked =
    offset < RANKED_LIMIT
      ? await findRanked(
          db,
          { condition, rank: rankOf(query, matching), order },
          { limit: Math.min(limit, RANKED_LIMIT - offset), offset },
        )
      : []
  // Behind the ranked ones the rest begins exactly where the candidates ended.
  const restLimit = offset + limit - Math.max(offset, RANKED_LIMIT)
  if (restLimit <= 0) return ranked
  const rest = { limit: restLimit, offset: Math.max(offset, RANKED_LIMIT) }
  return [...ranked, ...(await findSorted(db, condition, order, rest))]
}

async function findTotal(db: Queryable, query: AgentQuery, matching: Matching): Promise<Total> {
  if (isCounted(query)) {
    return { total: await countListed(db, query.categoryKey), totalIsEstimate: false }
  }
  const condition = conditionOf(query, matching)
  const counted = await countUpTo(db, condition, EXACT_TOTAL_LIMIT + 1)
  if (counted <= EXACT_TOTAL_LIMIT) return { total: counted, totalIsEstimate: false }
  return { total: Math.max(counted, await estimateCount(db, condition)), totalIsEstimate: true }
}

/** Without a filter, or by type alone, there are counters. */
function isCounted({ text, skillKeys, minRating, maxPriceMicro, x402Enabled }: AgentQuery): boolean {
  return (
    text === '' &&
    skillKeys.length === 0 &&
    minRating === 0 &&
    maxPriceMicro === undefined &&
    x402Enabled === undefined
  )
}
