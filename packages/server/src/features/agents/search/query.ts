import { type AgentSearch, type AgentSort, parseMicro } from '@agent-marketplace/contract'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Sql } from '../../../platform/db/sql.ts'
import { distinctByKey, keyOf } from '../rules.ts'
import type { Term } from './terms.ts'

/** A search as requested, normalised. */
export interface AgentQuery {
  /** Empty when the search has no words. */
  text: string
  /** The query text holds no words: nothing can match it. */
  isVoid: boolean
  /** Beside English: the languages of profiles in which the words are looked for. */
  languages: readonly string[]
  /** Some words are enough, and agents that have all of them are left out: they were found before. */
  some: SomeWords | undefined
  categoryKey: string | undefined
  skillKeys: string[]
  minRating: number
  maxPriceMicro: bigint | undefined
  x402Enabled: boolean | undefined
  online: boolean | undefined
  /** Below this score nothing can be on the page. */
  minScore: number
  /** How it delivers. */
  record: DeliveryFilters
  sort: AgentSort | 'relevance'
  limit: number
  offset: number
}

/** Some words of a text. */
export interface SomeWords {
  /** What matches are scored by. */
  terms: readonly Term[]
  /** Those of them that lead to matches. */
  candidates: readonly string[]
  /** A name counts by how much it looks like the text. */
  namesAlike: boolean
  /** And with one of these words in it, such a name is a match, too. */
  nameWords: readonly string[]
  /** And these are matches, whatever their words. They pass the filters, and have not all words. */
  near: readonly NearAgent[]
}

/** An agent that is close to the text in meaning. */
export interface NearAgent {
  agentId: string
  /** From 0, just close enough, to 1, the closest of all. */
  nearness: number
}

export interface DeliveryFilters {
  minOnTimeRate: number | undefined
  minDeliveryRate: number | undefined
  maxDisputeRate: number | undefined
  maxDeliverySeconds: number | undefined
  maxResponseSeconds: number | undefined
}

export interface SearchLimits {
  /** Totals are exact up to here, and estimates beyond. */
  exactTotal: number
  /** Only so many of the best-rated matches are ranked: ranking all costs a second where a word is in every text. */
  ranked: number
}

export const searchLimits: SearchLimits = { exactTotal: 10_000, ranked: 2_000 }

/** One search under way. */
export interface SearchRun {
  db: Queryable
  /** The columns of an `AgentVersion`, of a row that is called `agents`. */
  versionColumns: Sql
  query: AgentQuery
  limits: SearchLimits
}

const punctuation = /[!-/:-@[-`{-~]+/g

export function agentQueryOf(search: AgentSearch): AgentQuery {
  const { q = '', type, skills = '', minRating = 0, maxPrice, x402Enabled, online } = search
  const { limit = 20, offset = 0 } = search
  // The same characters that the database blanks out before it splits a text into words.
  const text = q.replaceAll(punctuation, ' ').trim()
  return {
    text,
    isVoid: text === '' && q.trim() !== '',
    languages: [],
    some: undefined,
    categoryKey: type === undefined ? undefined : keyOf(type),
    skillKeys: distinctByKey(skills.split(',').filter((skill) => keyOf(skill) !== '')).map(keyOf),
    minRating,
    maxPriceMicro: maxPrice === undefined ? undefined : parseMicro(maxPrice),
    x402Enabled,
    online,
    minScore: 0,
    record: recordOf(search),
    sort: search.sort ?? (text === '' ? 'rating' : 'relevance'),
    limit,
    offset,
  }
}

const secondsOf = (hours: number | undefined): number | undefined =>
  hours === undefined ? undefined : hours * 3600

function recordOf(search: AgentSearch): DeliveryFilters {
  const { minOnTimeRate, minDeliveryRate, maxDisputeRate, maxDeliveryHours, maxResponseHours } = search
  return {
    minOnTimeRate,
    minDeliveryRate,
    maxDisputeRate,
    maxDeliverySeconds: secondsOf(maxDeliveryHours),
    maxResponseSeconds: secondsOf(maxResponseHours),
  }
}

/** Words and skills are looked up in an inverted index; all other filters are applied while walking in order. */
export function isLookedUp({ text, skillKeys }: AgentQuery): boolean {
  return text !== '' || skillKeys.length > 0
}

/** Filters by number or flag, of which no counts are kept. */
export function hasUncountedFilters(query: AgentQuery): boolean {
  const { minRating, maxPriceMicro, x402Enabled, online, record } = query
  const given = [maxPriceMicro, x402Enabled, online, ...Object.values(record)]
  return minRating > 0 || given.some((filter) => filter !== undefined)
}
