import type { AgentSort } from '@agent-marketplace/contract'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { type AgentQuery, isLookedUp } from './query.ts'

/** Where the matches of a search are, and which they are. The row that filters and sorts look at is called `found`. */
export interface Matches {
  from: Sql
  where: Sql
}

/** Lower ratings and scores have no mark in the inverted index. */
const FIRST_RATING_MARK = 2
export const FIRST_SCORE_MARK = 1.05

/** For walking in the order of an index: the filters as the sorts' indexes know them. */
export function matchesInOrder(query: AgentQuery, sort: AgentSort): Matches {
  const { text } = query
  if (text === '') return { from: sql`agent_listings found`, where: and(plainFilters(query)) }
  // By rating there is a walk over the rows that hold the words; for the other sorts each is fetched.
  if (sort === 'rating') return matchesByKeys(query)
  return {
    from: sql`agent_listings found join agents texts on texts.id = found.id`,
    where: and([byText(query, sql`texts`), ...plainFilters(query)]),
  }
}

/** For counting: looked up where that is possible, and otherwise star by star. */
export function matchesToCount(query: AgentQuery): Matches {
  if (isLookedUp(query)) return matchesByKeys(query)
  const filters = plainFilters(query)
  if (query.minRating > 0) {
    const stars = [0, 1, 2, 3, 4, 5].filter((star) => star >= Math.floor(query.minRating))
    filters.push(sql`floor(found.average_rating) = any(${stars}::float8[])`)
  }
  return { from: sql`agent_listings found`, where: and(filters) }
}

/** For looking up: each filter is a key of the inverted index, and a match is read only when it has them all. */
export function matchesByKeys(query: AgentQuery): Matches {
  const { text, categoryKey, minRating, minScore, x402Enabled } = query
  const filters = filtersByValue(query)
  if (categoryKey !== undefined) filters.push(sql`array[found.category_key] @> ${[categoryKey]}::text[]`)
  if (x402Enabled !== undefined) filters.push(sql`array[found.x402_enabled] @> ${[x402Enabled]}::boolean[]`)
  if (minRating > 0) filters.push(sql`found.average_rating >= ${minRating}::float8`)
  if (text !== '' && minRating >= FIRST_RATING_MARK)
    filters.push(sql`rating_marks(found.average_rating) @> array[rating_mark(${minRating}::float8)]`)
  if (minScore > 0) filters.push(sql`found.score >= ${minScore}::float8`)
  if (text !== '' && minScore >= FIRST_SCORE_MARK)
    filters.push(sql`score_marks(found.score) @> array[score_mark(${minScore}::float8)]`)
  return { from: placeOf(text), where: and([...textFilters(query), ...filters]) }
}

/** For the planner's estimate, which is best where every filter is named once. */
export function matchesByValue(query: AgentQuery): Matches {
  return { from: placeOf(query.text), where: and([...textFilters(query), ...plainFilters(query)]) }
}

function placeOf(text: string): Sql {
  return text === '' ? sql`agent_listings found` : sql`agents found`
}

function textFilters(query: AgentQuery): Sql[] {
  return query.text === '' ? [] : [sql`found.listed`, byText(query, sql`found`)]
}

function byText({ text, languages, some }: AgentQuery, table: Sql): Sql {
  const byAllWords = sql`${table}.search @@ (${allWords(text, languages)})`
  if (!some) return byAllWords
  const byAny = (lexemes: readonly string[]) =>
    sql`${table}.search @@ ${lexemes.map(tsqueryOf).join(' | ')}::tsquery`
  const { candidates, nameWords } = some
  const bySome = byAny(candidates)
  const matches =
    nameWords.length === 0
      ? bySome
      : sql`${byAny([...candidates, ...nameWords])} and (${bySome} or ${text} <% ${table}.name)`
  return sql`${matches} and not ${byAllWords}`
}

/** All words of a text, stemmed as English or, in profiles of another language, as that. */
function allWords(text: string, languages: readonly string[]): Sql {
  const inOthers = languages.map((language) => sql`words_in(${language}, ${text})`)
  return sql.join([sql`plainto_tsquery('english', ${text})`, ...inOthers], sql` || `)
}

/** What full matches are ranked by: the same words, without the marks of their languages. */
export function rankedWords({ text, languages }: AgentQuery): Sql {
  const inOthers = languages.map((language) => sql`plainto_tsquery(stemming_of(${language}), ${text})`)
  return sql.join([sql`plainto_tsquery('english', ${text})`, ...inOthers], sql` || `)
}

/** A lexeme as PostgreSQL reads it in a query. */
export function tsqueryOf(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

function filtersByValue({ skillKeys, maxPriceMicro, online, record }: AgentQuery): Sql[] {
  const filters: Sql[] = []
  if (skillKeys.length > 0) filters.push(sql`found.skill_keys @> ${skillKeys}::text[]`)
  if (maxPriceMicro !== undefined) filters.push(sql`found.lowest_price_micro <= ${maxPriceMicro}::bigint`)
  if (online !== undefined) filters.push(sql`found.online = ${online}::boolean`)
  const { minOnTimeRate, minDeliveryRate, maxDisputeRate, maxDeliverySeconds, maxResponseSeconds } = record
  if (minOnTimeRate !== undefined) filters.push(sql`found.on_time_rate >= ${minOnTimeRate}::float8`)
  if (minDeliveryRate !== undefined) filters.push(sql`found.delivery_rate >= ${minDeliveryRate}::float8`)
  if (maxDisputeRate !== undefined) filters.push(sql`found.dispute_rate <= ${maxDisputeRate}::float8`)
  if (maxDeliverySeconds !== undefined) filters.push(sql`found.speed_rank <= ${maxDeliverySeconds}::float8`)
  if (maxResponseSeconds !== undefined)
    filters.push(sql`found.response_rank <= ${maxResponseSeconds}::float8`)
  return filters
}

function plainFilters(query: AgentQuery): Sql[] {
  const { categoryKey, minRating, x402Enabled } = query
  const filters = filtersByValue(query)
  if (categoryKey !== undefined) filters.push(sql`found.category_key = ${categoryKey}`)
  if (minRating > 0) filters.push(sql`found.average_rating >= ${minRating}::float8`)
  if (x402Enabled !== undefined) filters.push(sql`found.x402_enabled = ${x402Enabled}::boolean`)
  return filters
}

function and(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/** Each order is the order of an index. Agents that owe work come last, and premium listings first among equals. */
export function orderOf(sort: AgentSort, table: Sql): Sql {
  if (sort === 'newest') return sql`${table}.is_marked, ${table}.created_at desc, ${table}.id desc`
  const direction = lowestFirst.has(sort) ? sql`asc` : sql`desc`
  return sql`
    ${table}.is_marked, ${table}.${sortKeys[sort]} ${direction}, ${table}.is_premium desc, ${table}.id desc`
}

/** All that an order looks at. */
export function sortColumnsOf(sort: AgentSort, table: Sql): Sql {
  return sql`${table}.is_marked, ${table}.${sortKeys[sort]}, ${table}.is_premium, ${table}.id`
}

const lowestFirst: ReadonlySet<AgentSort> = new Set(['price', 'disputes', 'speed', 'response'])

const sortKeys = {
  rating: sql`score`,
  price: sql`lowest_price_micro`,
  jobs: sql`total_jobs`,
  earned: sql`total_earned_micro`,
  newest: sql`created_at`,
  onTime: sql`on_time_rank`,
  delivered: sql`delivery_rank`,
  disputes: sql`dispute_rank`,
  speed: sql`speed_rank`,
  response: sql`response_rank`,
}
