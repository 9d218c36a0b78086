import type { AgentSearch } from '@agent-marketplace/contract'
import type { Database } from '../../../platform/db/database.ts'
import { type PageParts, versionColumnsOf } from '../lookup-store.ts'
import type { AgentVersion } from '../store.ts'
import { collectRanked } from './best-rated.ts'
import { findClosest } from './closest.ts'
import { matchesByKeys, matchesInOrder } from './condition.ts'
import { type Expectation, expectMatches } from './expectation.ts'
import {
  agentQueryOf,
  isLookedUp,
  type NearAgent,
  type SearchLimits,
  type SearchRun,
  searchLimits,
} from './query.ts'
import { collectAll, walkTo } from './store.ts'
import { straightSort, walkStraight } from './straight.ts'
import { findLanguages } from './term-store.ts'
import { findTotal, keptTotal, type Total } from './total.ts'

export interface SearchPage extends Total {
  rows: AgentVersion[]
  /** How many of them have all words; they come first. */
  fullMatches: number
  limit: number
  offset: number
}

/** With fewer matches of all words than this, those of some words follow. The same for every page, so that pages fit. */
const ENOUGH_MATCHES = 20

export interface AgentSearchDeps extends Pick<PageParts, 'sellerVersion'> {
  searchDb: Database
  limits?: SearchLimits
  /** Undefined where search goes by words alone. */
  meaning?: { nearAgents(text: string): Promise<readonly NearAgent[]> } | undefined
}

type Found = Pick<SearchPage, 'rows' | 'total' | 'totalIsEstimate'>

/**
 * Search over the agents that can be found. It promises the same agents and order as sorting all of them would, at a
 * cost that hardly grows with their number; only `relevance` ranks no more than the 2,000 best-rated matches, and lets
 * the others follow by rating. Where few agents have all the words that were requested, those that have some follow, and
 * those that are close in meaning where that is known.
 */
export function createAgentSearch({
  searchDb,
  sellerVersion,
  limits = searchLimits,
  meaning,
}: AgentSearchDeps) {
  const versionColumns = versionColumnsOf(sellerVersion)
  return async (search: AgentSearch): Promise<SearchPage> => {
    const asked = agentQueryOf(search)
    const { limit, offset } = asked
    if (asked.isVoid) return { rows: [], total: 0, totalIsEstimate: false, fullMatches: 0, limit, offset }
    const languages = asked.text === '' ? [] : await findLanguages(searchDb)
    const query = { ...asked, languages }
    const run = { db: searchDb, versionColumns, query, limits }
    const full = await findByWords(run)
    const page = { limit, offset, fullMatches: full.total }
    if (query.text === '' || full.totalIsEstimate || full.total >= ENOUGH_MATCHES) return { ...full, ...page }
    const near = (await meaning?.nearAgents(query.text)) ?? []
    const closest = await findClosest(run, { fullMatches: full.total, near })
    return {
      rows: [...full.rows, ...closest.rows],
      total: full.total + closest.count,
      totalIsEstimate: false,
      ...page,
    }
  }
}

/** Few matches are read once, counted and sorted; among many the page is walked to, while another connection counts. */
async function findByWords(run: SearchRun): Promise<Found> {
  const { query, limits } = run
  const sort = straightSort(query)
  if (sort !== undefined) {
    const { rows, count } = await walkStraight(run, sort)
    return { rows, total: count, totalIsEstimate: false }
  }
  const expected = isLookedUp(query) ? await expectMatches(run) : undefined
  const few = expected && expected.count <= limits.exactTotal ? await findFew(run, expected) : undefined
  if (few) return few
  const [rows, total] = await Promise.all([findPage(run, expected), findTotal(run, expected)])
  return { rows, ...total }
}

/**
 * Where a page is ranked out of many more than are ranked, reading them all would only count them. Measured at 100,000
 * agents: no difference at 6,000 matches, half the database's time at 9,400.
 */
export const MANY_TIMES_RANKED = 3

/** Undefined where there are more than are counted, or where the best-rated are enough because a count is kept. */
async function findFew(run: SearchRun, expected: Expectation): Promise<Found | undefined> {
  const isRanked = run.query.sort === 'relevance' && expected.count > MANY_TIMES_RANKED * run.limits.ranked
  if (isRanked && (await keptTotal(run.db, run.query)) !== undefined) return undefined
  const { rows, count } = await collectAll(run, matchesByKeys(run.query))
  return count > run.limits.exactTotal ? undefined : { rows, total: count, totalIsEstimate: false }
}

async function findPage(run: SearchRun, expected: Expectation | undefined): Promise<AgentVersion[]> {
  const { query, limits } = run
  const { sort, limit, offset } = query
  if (sort !== 'relevance') return walkTo(run, matchesInOrder(query, sort), sort, query)
  const slice = { limit: Math.min(limit, limits.ranked - offset), offset }
  const ranked = offset < limits.ranked ? (await collectRanked(run, slice, expected)).rows : []
  // Behind the ranked ones the rest begins exactly where the candidates ended.
  const restLimit = offset + limit - Math.max(offset, limits.ranked)
  if (restLimit <= 0) return ranked
  const rest = { limit: restLimit, offset: Math.max(offset, limits.ranked) }
  return [...ranked, ...(await walkTo(run, matchesInOrder(query, 'rating'), 'rating', rest))]
}
