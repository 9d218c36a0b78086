import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { type FoundRow, foundColumns } from './store.ts'

/** Ranking looks at the best-rated matches only: ranking them all costs a second where a word is in every text. */
export const RANKED_LIMIT = 2_000

export interface Slice {
  limit: number
  offset: number
}

/**
 * Filters differ too much for one plan to serve all of them, so these statements are planned for their own values each
 * time, which an unnamed statement is.
 */
const planned = (statement: Sql): Sql => ({ ...statement, name: '' })

/** A page in one of the fixed orders. Skipping walks the index alone; only the rows of the page are read. */
export function findSorted(
  db: Queryable,
  condition: Sql,
  order: Sql,
  { limit, offset }: Slice,
): Promise<FoundRow[]> {
  const page = sql`select id from agents where ${condition} order by ${order} limit ${limit} offset ${offset}`
  const statement = sql`
    select ${foundColumns} from agents where id in (${page}) order by ${order}`
  return db.rows(planned(statement))
}

/** A page by rank, out of the best-rated matches. */
export function findRanked(
  db: Queryable,
  { condition, rank, order }: { condition: Sql; rank: Sql; order: Sql },
  { limit, offset }: Slice,
): Promise<FoundRow[]> {
  const statement = sql`
    with candidates as (
      select id, name, search, is_premium, average_rating from agents where ${condition}
      order by ${order} limit ${RANKED_LIMIT}),
    page as materialized (
      select id, row_number() over (order by ${rank} desc, is_premium desc, ${order}) as place from candidates
      order by place limit ${limit} offset ${offset})
    select ${foundColumns} from page join agents using (id) order by page.place`
  return db.rows(planned(statement))
}

/** The matches, counted up to `cap`. */
export async function countUpTo(db: Queryable, condition: Sql, cap: number): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(
    planned(sql`select count(*) from (select 1 from agents where ${condition} limit ${cap}) matches`),
  )
  return Number(count)
}

/** What the planner expects, from the statistics that it keeps. */
export async function estimateCount(db: Queryable, condition: Sql): Promise<number> {
  const { 'QUERY PLAN': plan } = await db.one<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    planned(sql`explain (format json) select 1 from agents where ${condition}`),
  )
  return plan[0].Plan['Plan Rows']
}

/** Exact, from the kept counters: all that are listed, or those of one category. */
export async function countListed(db: Queryable, categoryKey: string | undefined): Promise<number> {
  const filter = categoryKey === undefined ? sql`` : sql`where category_key = ${categoryKey}`
  const { count } = await db.one<{ count: bigint }>(
    sql`select coalesce(sum(listed_count), 0) as count from agent_counts ${filter}`,
  )
  return Number(count)
}

/** How alike a name must be to pass for a typing error; the default of 0.6 misses swapped letters. */
export async function setSimilarity(tx: Queryable, threshold: number): Promise<void> {
  await tx.one(
    sql`select set_config('pg_trgm.word_similarity_threshold', ${String(threshold)}, true) as threshold`,
  )
}
