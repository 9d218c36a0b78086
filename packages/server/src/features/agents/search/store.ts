import type { AgentSort } from '@agent-marketplace/contract'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import type { AgentVersion } from '../store.ts'
import { type Matches, orderOf, rankedWords, sortColumnsOf, tsqueryOf } from './condition.ts'
import type { AgentQuery, NearAgent, SearchRun, SomeWords } from './query.ts'

export interface Slice {
  limit: number
  offset: number
}

/**
 * Filters differ too much for one plan to serve all of them, so these statements are planned for their own values each
 * time, which an unnamed statement is.
 */
export const planned = ({ text, values, pieces }: Sql): Sql => ({ text, values, pieces, name: '' })

/** A page in one of the fixed orders. Skipping walks the index alone; only the rows of the page are read. */
export function walkTo(
  { db, versionColumns }: SearchRun,
  { from, where }: Matches,
  sort: AgentSort,
  { limit, offset }: Slice,
): Promise<AgentVersion[]> {
  const page = sql`
    select found.id from ${from} where ${where} order by ${orderOf(sort, sql`found`)} limit ${limit} offset ${offset}`
  return db.rows(
    planned(
      sql`select ${versionColumns} from agents where id in (${page}) order by ${orderOf(sort, sql`agents`)}`,
    ),
  )
}

export interface Collected {
  rows: AgentVersion[]
  /** All matches that were collected, not only those of the page. */
  count: number
}

/** A page out of all matches, which are read once, counted and put in order; one more than are counted exactly is enough. */
export function collectAll(run: SearchRun, { from, where }: Matches): Promise<Collected> {
  const { query, limits } = run
  const matches = sql`select ${columnsOf(query)} from ${from} where ${where} limit ${limits.exactTotal + 1}`
  return placeAndCount(run, matches, query)
}

/** The same out of the best-rated matches only, and those that are close in meaning. */
export function collectBestRated(run: SearchRun, { from, where }: Matches, slice: Slice): Promise<Collected> {
  const { query, limits } = run
  const near = query.some?.near ?? []
  const best = (condition: Sql) => sql`
    select ${columnsOf(query)} from ${from} where ${condition}
    order by ${orderOf('rating', sql`found`)} limit ${limits.ranked - near.length}`
  if (near.length === 0) return placeAndCount(run, best(where), slice)
  const ids = sql`${near.map(({ agentId }) => agentId)}::text[]`
  const both = sql`
    select ${columnsOf(query)} from agents found where found.id = any(${ids})
    union all (${best(sql`${where} and found.id <> all(${ids})`)})`
  return placeAndCount(run, both, slice)
}

/** No more than the order needs: ten thousand texts would not fit into the memory of one statement. */
function columnsOf({ sort, some }: AgentQuery): Sql {
  if (sort !== 'relevance') return sortColumnsOf(sort, sql`found`)
  const ranked = sql`${sortColumnsOf('rating', sql`found`)}, found.search`
  return some?.namesAlike ? sql`${ranked}, found.name` : ranked
}

async function placeAndCount(
  { db, versionColumns, query, limits }: SearchRun,
  matches: Sql,
  { limit, offset }: Slice,
): Promise<Collected> {
  const end = offset + limit
  const placed =
    query.sort === 'relevance'
      ? sql`
        select id, row_number() over (order by is_marked, ${rankOf(query, limits.ranked)} desc, position) as place
        from (${firstBy('rating', Math.max(end, limits.ranked))}) rated`
      : sql`select id, position as place from (${firstBy(query.sort, end)}) sorted`
  const rows = await db.rows<CollectedRow>(
    planned(sql`
      with matches as materialized (${matches}),
      page as materialized (select id, place from (${placed}) placed order by place limit ${limit} offset ${offset})
      select counted.match_count, ${versionColumns}
      from (select count(*) as match_count from matches) counted
        left join (page join agents using (id)) on true
      order by page.place`),
  )
  return collected(rows)
}

/** Only the first matches are put in order: measured at 6,000 matches, a quarter less time than sorting all of them. */
function firstBy(sort: AgentSort, count: number): Sql {
  return sql`
    select *, row_number() over (order by ${orderOf(sort, sql`first`)}) as position
    from (select * from matches order by ${orderOf(sort, sql`matches`)} limit ${count}) first`
}

/** An empty page is one row without an agent, because the count is wanted all the same. */
export type CollectedRow = { matchCount: bigint } & (AgentVersion | { id: null })

export function collected(rows: readonly CollectedRow[]): Collected {
  return { rows: rows.filter((row) => row.id !== null), count: Number(rows[0]?.matchCount ?? 0) }
}

/**
 * Better matches first: words of the name weigh most, then skills and services, then the description. Behind the ranked
 * ones the others follow by rating.
 */
function rankOf(query: AgentQuery, rankedCount: number): Sql {
  const { text, some } = query
  const rank = some ? closenessOf(some, text) : sql`ts_rank(search, ${rankedWords(query)})`
  return sql`
    case when position <= ${rankedCount}::integer then ${rank} else -1 end desc,
    (position <= ${rankedCount}::integer and is_premium)`
}

/** What the best score adds to an agent's closeness: enough to part equals, too little to pass a better match. */
const TRUST_SHARE = 0.1

/** What is closest in meaning counts as much as one that has every word among its skills. */
const MEANING_SHARE = 0.25

/** Each word counts by its rarity and by where it stands; a name that looks like the text is one more word. */
function closenessOf({ terms, namesAlike, near }: SomeWords, text: string): Sql {
  const byTerms = sql`
    coalesce((
      select sum(weight * ts_rank(search, word))
      from unnest(${terms.map(({ lexeme }) => tsqueryOf(lexeme))}::tsquery[], ${terms.map(({ weight }) => weight)}::float8[])
        as wanted (word, weight)), 0)`
  const parts = [byTerms]
  if (namesAlike) parts.push(sql`word_similarity(${text}, name)`)
  if (near.length > 0) {
    const allWords = Math.max(
      1,
      terms.reduce((sum, { weight }) => sum + weight, 0),
    )
    parts.push(sql`${MEANING_SHARE * allWords}::float8 * ${nearnessOf(near)}`)
  }
  return sql`(${sql.join(parts, sql` + `)}) * (1 + ${TRUST_SHARE}::float8 * (score - 1) / 4)`
}

function nearnessOf(near: readonly NearAgent[]): Sql {
  const ids = near.map(({ agentId }) => agentId)
  return sql`
    case when id = any(${ids}::text[]) then (
      select nearness from unnest(${ids}::text[], ${near.map(({ nearness }) => nearness)}::float8[])
        as close (agent_id, nearness) where agent_id = id) else 0 end`
}
