import type { Queryable } from '../../../platform/db/queryable.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { FIRST_SCORE_MARK, type Matches, matchesByKeys, matchesToCount } from './condition.ts'
import { type Expectation, estimateCount } from './expectation.ts'
import { ratingReachedBy, shareReaching } from './floor.ts'
import { type AgentQuery, hasUncountedFilters, isLookedUp, type SearchRun } from './query.ts'
import { planned } from './store.ts'

export interface Total {
  total: number
  /** True where the matches are too many to count each time. */
  totalIsEstimate: boolean
}

/** Counters are kept for all agents, for each type, word and skill. Combinations are counted, up to the limit. */
export async function findTotal(run: SearchRun, expected: Expectation | undefined): Promise<Total> {
  const { db, query, limits } = run
  const kept = await keptTotal(db, query)
  if (kept !== undefined) return { total: kept, totalIsEstimate: false }
  if (expected && (await areSurelyMany(run, expected)))
    return { total: Math.round(expected.count), totalIsEstimate: true }
  const matches = matchesToCount(query)
  const walked = query.text !== '' && expected?.areFrequent ? newestFirst(matches) : matches
  const counted = await countUpTo(db, walked, limits.exactTotal + 1)
  if (counted <= limits.exactTotal) return { total: counted, totalIsEstimate: false }
  const estimate = expected?.count ?? (await estimateCount(db, query))
  return { total: Math.max(counted, estimate), totalIsEstimate: true }
}

/** By how much an estimate must exceed what is counted, before and after the sample. */
const CLEARLY = 1.1
/** So many matches at least are a sample. */
const SAMPLE = 300

/**
 * Whether there are clearly more matches of a text than are counted: where the planner expects so, and the best-rated
 * agents have as many as is their share. Counting ten thousand takes longer the more there are beside them.
 */
async function areSurelyMany({ db, query, limits }: SearchRun, expected: Expectation): Promise<boolean> {
  const many = CLEARLY * limits.exactTotal
  if (query.text === '' || expected.count < many) return false
  const minScore = ratingReachedBy(SAMPLE / many, expected.spread)
  if (minScore < FIRST_SCORE_MARK) return false
  const enough = Math.ceil(many * shareReaching(minScore, expected.spread))
  return (await countUpTo(db, matchesByKeys({ ...query, minScore }), enough)) === enough
}

/**
 * The limit is met soon, whatever the order. In this one the same pages are read by every search, and stay in memory;
 * left to itself the planner reads the table from its start, past the memory that it shares.
 */
const newestFirst = ({ from, where }: Matches): Matches => ({
  from,
  where: sql`${where} order by found.created_at desc, found.id desc`,
})

/** Undefined where no count is kept of what matches. */
export async function keptTotal(db: Queryable, query: AgentQuery): Promise<number | undefined> {
  const { text, categoryKey, skillKeys } = query
  const [skill, ...otherSkills] = skillKeys
  if (hasUncountedFilters(query)) return undefined
  if (!isLookedUp(query)) return countListed(db, categoryKey)
  if (categoryKey !== undefined || otherSkills.length > 0) return undefined
  if (text === '') return skill === undefined ? undefined : countSkill(db, skill)
  return skill === undefined && query.languages.length === 0 ? countWord(db, text) : undefined
}

async function countUpTo(db: Queryable, { from, where }: Matches, cap: number): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(
    planned(sql`select count(*) from (select 1 from ${from} where ${where} limit ${cap}) matches`),
  )
  return Number(count)
}

/** The kept count of all that are listed, or of those of one category. */
export function listedCount(categoryKey: string | undefined): Sql {
  const filter = categoryKey === undefined ? sql`` : sql`where category_key = ${categoryKey}`
  return sql`select coalesce(sum(listed_count), 0) as match_count from agent_counts ${filter}`
}

async function countListed(db: Queryable, categoryKey: string | undefined): Promise<number> {
  const { matchCount } = await db.one<{ matchCount: bigint }>(listedCount(categoryKey))
  return Number(matchCount)
}

async function countSkill(db: Queryable, skillKey: string): Promise<number> {
  const counted = await db.maybeOne<{ count: bigint }>(
    sql`select listed_count as count from agent_term_counts where kind = 'SKILL' and term = ${skillKey}`,
  )
  return Number(counted?.count ?? 0)
}

/** As English. Undefined where the text holds no word, or several. */
async function countWord(db: Queryable, text: string): Promise<number | undefined> {
  const counted = await db.maybeOne<{ count: bigint | null }>(sql`
    select (select listed_count from agent_term_counts where kind = 'WORD' and term = words[1]) as count
    from tsvector_to_array(to_tsvector('english', ${text})) words where cardinality(words) = 1`)
  return counted && Number(counted.count ?? 0)
}
