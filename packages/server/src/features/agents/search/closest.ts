import type { Database } from '../../../platform/db/database.ts'
import { collectRanked } from './best-rated.ts'
import { matchesByKeys } from './condition.ts'
import { keepFitting } from './near.ts'
import type { NearAgent, SearchRun } from './query.ts'
import { type Collected, collectBestRated } from './store.ts'
import { countAgents, findAlike, findWords, setLikeness } from './term-store.ts'
import { type KnownWord, rarest, termsOf } from './terms.ts'

/** With fewer full matches than this, names that look like the words are shown too. */
const FEW_MATCHES = 3
/** So many words are corrected at most. */
const MAX_CORRECTED = 8

interface FullRun extends SearchRun {
  db: Database
}

interface Before {
  fullMatches: number
  /** Agents that are close in meaning, the closest first. */
  near: readonly NearAgent[]
}

/**
 * What follows the matches of all words: agents that have some of them or are close in meaning, the closest first. The
 * rarest words lead to at most as many candidates as are ranked, and those are scored by all words.
 */
export async function findClosest(
  { db, query, limits }: FullRun,
  { fullMatches, near: nearest }: Before,
): Promise<Collected> {
  const words = await findWords(db, query.text, query.languages)
  const unknown = words.filter(isCorrectable).slice(0, MAX_CORRECTED)
  const namesAlike = fullMatches < FEW_MATCHES
  // One word that agents have: no agent can have a part of it.
  if (words.length < 2 && unknown.length === 0 && !namesAlike && nearest.length === 0)
    return { rows: [], count: 0 }
  return db.transaction(async (tx) => {
    await setLikeness(tx)
    const alike =
      unknown.length === 0 ? new Map<string, KnownWord[]>() : await findAlike(tx, unknown.map(lexemeOf))
    const written = words.map((word) => ({ ...word, alike: alike.get(word.lexeme) ?? [] }))
    const terms = termsOf(written, await countAgents(tx))
    const near = await keepFitting(tx, query, nearest)
    const byWords = limits.ranked - near.length
    const candidates = rarest(terms, byWords)
    if (candidates.length === 0 && !namesAlike && near.length === 0) return { rows: [], count: 0 }
    const some = { terms, candidates: candidates.map(lexemeOf), namesAlike, near }
    const run = { db: tx, query: { ...query, some }, limits }
    const start = Math.max(query.offset, fullMatches)
    const slice = { offset: start - fullMatches, limit: Math.max(0, query.offset + query.limit - start) }
    const areFew = candidates.reduce((sum, { listedCount }) => sum + listedCount, 0) <= byWords
    return areFew ? collectBestRated(run, matchesByKeys(run.query), slice) : collectRanked(run, slice)
  })
}

const lexemeOf = ({ lexeme }: KnownWord) => lexeme
/** Short words have too many neighbours. */
const isCorrectable = ({ lexeme, listedCount }: KnownWord) => listedCount === 0 && /^\p{L}{5,}$/u.test(lexeme)
