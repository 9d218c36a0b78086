import type { AgentSort } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { type Matches, orderOf } from './search-condition.ts'
import type { AgentQuery, SearchRun } from './search-query.ts'
import { type FoundRow, foundColumns } from './store.ts'

export interface Slice {
  limit: number
  offset: number
}

/**
 * Filters differ too much for one plan to serve all of them, so these statements are planned for their own values each
 * time, which an unnamed statement is.
 */
export const planned = (statement: Sql): Sql => ({ ...statement, name: '' })

/** A page in one of the fixed orders. Skipping walks the index alone; only the rows of the page are read. */
export function walkTo(
  db: Queryable,
  { from, where }: Matches,
  sort: AgentSort,
  { limit, offset }: Slice,
): Promise<FoundRow[]> {
  const page = sql`
    select found.id from ${from} where ${where} order by ${orderOf(sort, sql`found`)} limit ${limit} offset ${offset}`
  return db.rows(
    planned(
      sql`select ${foundColumns} from agents where id in (${page}) order by ${orderOf(sort, sql`agents`)}`,
    ),
  )
}

export interface Collected {
  rows: FoundRow[]
  /** All matches that were collected, not only those of the page. */
  count: number
}

/** A page out of all matches, which are read once, counted and put in order; one more than are counted exactly is enough. */
export function collectAll(run: SearchRun, { from, where }: Matches): Promise<Collected> {
  const { query, limits } = run
  const matches = sql`select ${columnsOf(query)} from ${from} where ${where} limit ${limits.exactTotal + 1}`
  return placeAndCount(run, matches, query)
}

/** The same out of the best-rated matches only. */
export function collectBestRated(run: SearchRun, { from, where }: Matches, slice: Slice): Promise<Collected> {
  const { query, limits } = run
  const best = sql`
    select ${columnsOf(query)} from ${from} where ${where}
    order by ${orderOf('rating', sql`found`)} limit ${limits.ranked}`
  return placeAndCount(run, best, slice)
}

function columnsOf({ sort }: AgentQuery): Sql {
  const columns = sql`
    found.id, found.average_rating, found.lowest_price_micro, found.total_earned_micro, found.created_at, found.total_jobs,
    found.is_premium`
  return sort === 'relevance' ? sql`${columns}, found.name, found.search` : columns
}

async function placeAndCount(
  { db, query, limits }: SearchRun,
  matches: Sql,
  { limit, offset }: Slice,
): Promise<Collected> {
  const placed =
    query.sort === 'relevance'
      ? sql`
        select id, row_number() over (order by ${rankOf(query, limits.ranked)} desc, position) as place
        from (select *, row_number() over (order by ${orderOf('rating', sql`matches`)}) as position from matches) rated`
      : sql`select id, row_number() over (order by ${orderOf(query.sort, sql`matches`)}) as place from matches`
  const rows = await db.rows<CollectedRow>(
    planned(sql`
      with matches as materialized (${matches}),
      page as materialized (select id, place from (${placed}) placed order by place limit ${limit} offset ${offset})
      select counted.match_count, ${foundColumns}
      from (select count(*) as match_count from matches) counted
        left join (page join agents using (id)) on true
      order by page.place`),
  )
  return { rows: rows.filter((row) => row.id !== null), count: Number(rows[0]?.match_count ?? 0) }
}

/** An empty page is one row without an agent, because the count is wanted all the same. */
type CollectedRow = { match_count: bigint } & (FoundRow | { id: null })

/**
 * Better matches first: words of the name weigh most, then skills and services, then the description. Behind the ranked
 * ones the others follow by rating.
 */
function rankOf({ text, matching }: AgentQuery, rankedCount: number): Sql {
  const byWords = sql`ts_rank(search, plainto_tsquery('english', ${text}))`
  const rank = matching === 'words' ? byWords : sql`${byWords} + word_similarity(${text}, name)`
  return sql`
    case when position <= ${rankedCount}::integer then ${rank} else -1 end desc,
    (position <= ${rankedCount}::integer and is_premium)`
}

/** How alike a name must be to pass for a typing error; the default of 0.6 misses swapped letters. */
export async function setSimilarity(tx: Queryable, threshold: number): Promise<void> {
  await tx.one(
    sql`select set_config('pg_trgm.word_similarity_threshold', ${String(threshold)}, true) as threshold`,
  )
}
