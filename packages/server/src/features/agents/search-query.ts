import { type AgentSearch, type AgentSort, parseMicro } from '@agent-marketplace/contract'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { distinctByKey, keyOf } from './rules.ts'

/** A search as it was asked for, cleaned. */
export interface AgentQuery {
  /** Empty when nothing is looked for by words. */
  text: string
  categoryKey: string | undefined
  skillKeys: string[]
  minRating: number
  maxPriceMicro: bigint | undefined
  x402Enabled: boolean | undefined
  sort: AgentSort | 'relevance'
  limit: number
  offset: number
}

const punctuation = /[!-/:-@[-`{-~]+/g

export function agentQueryOf(search: AgentSearch): AgentQuery {
  const { q = '', type, skills = '', minRating = 0, maxPrice, x402Enabled, limit = 20, offset = 0 } = search
  // The same characters that the database blanks out before it splits a text into words.
  const text = q.replaceAll(punctuation, ' ').trim()
  return {
    text,
    categoryKey: type === undefined ? undefined : keyOf(type),
    skillKeys: distinctByKey(skills.split(',').filter((skill) => keyOf(skill) !== '')).map(keyOf),
    minRating,
    maxPriceMicro: maxPrice === undefined ? undefined : parseMicro(maxPrice),
    x402Enabled,
    sort: search.sort ?? (text === '' ? 'rating' : 'relevance'),
    limit,
    offset,
  }
}

/** How words are matched: as words, or also names that merely look like them. */
export type Matching = 'words' | 'similar'

export function conditionOf(query: AgentQuery, matching: Matching): Sql {
  const { text, categoryKey, skillKeys, minRating, maxPriceMicro, x402Enabled } = query
  const conditions = [sql`listed`]
  if (text !== '') conditions.push(matching === 'words' ? byWords(text) : bySimilarity(text))
  if (categoryKey !== undefined) conditions.push(sql`category_key = ${categoryKey}`)
  if (skillKeys.length > 0) conditions.push(sql`skill_keys @> ${skillKeys}::text[]`)
  if (minRating > 0) conditions.push(sql`average_rating >= ${minRating}::float8`)
  if (maxPriceMicro !== undefined) conditions.push(sql`lowest_price_micro <= ${maxPriceMicro}::bigint`)
  if (x402Enabled !== undefined) conditions.push(sql`x402_enabled = ${x402Enabled}::boolean`)
  return sql.join(conditions, sql` and `)
}

const byWords = (text: string): Sql => sql`search @@ plainto_tsquery('english', ${text})`
const bySimilarity = (text: string): Sql => sql`(${byWords(text)} or ${text} <% name)`

/** Better matches first: words of the name weigh most, then skills and services, then the description. */
export function rankOf({ text }: AgentQuery, matching: Matching): Sql {
  const rank = sql`ts_rank(search, plainto_tsquery('english', ${text}))`
  return matching === 'words' ? rank : sql`${rank} + word_similarity(${text}, name)`
}

/** Each order is the order of an index. Premium listings come first among equals. */
export const orders: Record<AgentSort, Sql> = {
  rating: sql`average_rating desc, is_premium desc, id desc`,
  price: sql`lowest_price_micro, is_premium desc, id desc`,
  jobs: sql`total_jobs desc, is_premium desc, id desc`,
  earned: sql`total_earned_micro desc, is_premium desc, id desc`,
  newest: sql`created_at desc, id desc`,
}
