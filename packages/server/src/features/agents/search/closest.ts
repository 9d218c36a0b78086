import type { Database } from '../../../platform/db/database.ts'
import { collectRanked } from './best-rated.ts'
import { matchesByKeys } from './condition.ts'
import { keepFitting } from './near.ts'
import type { NearAgent, SearchRun } from './query.ts'
import { type Collected, collectBestRated } from './store.ts'
import { countAgents, findAlike, findWords, setLikeness } from './term-store.ts'
import { type KnownWord, nameWordsOf, rarest, termsOf } from './terms.ts'

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
  { db, versionColumns, query, limits }: FullRun,
  { fullMatches, near: nearest }: Before,
): Promise<Collected> {
  const words = await findWords(db, query.text, query.languages)
  const namesAlike = fullMatches < FEW_MATCHES
  const unknown = words.filter(namesAlike ? isUnknown : isCorrectable).slice(0, MAX_CORRECTED)
  // One word that agents have: no agent can have a part of it.
  if (words.length < 2 && unknown.length === 0 && nearest.length === 0) return { rows: [], count: 0 }
  return db.transaction(async (tx) => {
    await setLikeness(tx)
    const alike =
      unknown.length === 0 ? new Map<string, KnownWord[]>() : await findAlike(tx, unknown.map(lexemeOf))
    const written = words.map((word) => ({
      ...word,
      alike: (isCorrectable(word) && alike.get(word.lexeme)) || [],
    }))
    const terms = termsOf(written, await countAgents(tx))
    const near = await keepFitting(tx, query, nearest)
    const byWords = limits.ranked - near.length
    const candidates = rarest(terms, byWords)
    const found = candidates.reduce((sum, { listedCount }) => sum + listedCount, 0)
    const nameWords = namesAlike ? nameWordsOf(alike.values(), byWords - found) : []
    if (candidates.length + nameWords.length + near.length === 0) return { rows: [], count: 0 }
    const some = {
      terms,
      candidates: candidates.map(lexemeOf),
      namesAlike,
      nameWords: nameWords.map(lexemeOf),
      near,
    }
    const run = { db: tx, versionColumns, query: { ...query, some }, limits }
    const start = Math.max(query.offset, fullMatches)
    const slice = { offset: start - fullMatches, limit: Math.max(0, query.offset + query.limit - start) }
    return found <= byWords
      ? collectBestRated(run, matchesByKeys(run.query), slice)
      : collectRanked(run, slice)
  })
}

const lexemeOf = ({ lexeme }: KnownWord) => lexeme
/** Of letters alone: too many words have digits in common. */
const isUnknown = ({ lexeme, listedCount }: KnownWord) => listedCount === 0 && /^\p{L}{3,}$/u.test(lexeme)
/** Short words have too many neighbours. */
const isCorrectable = (word: KnownWord) => isUnknown(word) && /^\p{L}{5,}$/u.test(word.lexeme)
