import { invalidField, SEARCH_MAX_WORDS } from '@agent-marketplace/contract'
import type { Sql } from './sql.ts'
import { sql } from './sql.ts'

/** Below this a word is no part of an identifier that somebody pasted: it would find random ones. */
export const SHORTEST_PASTED = 6

/** The words of the search box `q`, each once. Each costs a look at every row, so more than a few are rejected. */
export function wordsOf(text: string | undefined): string[] {
  const words = [...new Set((text ?? '').split(/\s+/).filter((word) => word !== ''))]
  if (words.length > SEARCH_MAX_WORDS)
    throw invalidField('/q', `must have at most ${SEARCH_MAX_WORDS} different words`)
  return words
}

/**
 * Whether a row has each of the words, in any letter case: in `names`, or, where it is long enough, in one of `identifiers`.
 * It is one comparison without a subquery, because it runs for every row of an owner. Its text is the same for any number of
 * words, and what they are looked for in is read once for a row.
 */
export function hasWords(words: readonly string[], place: { names: Sql; identifiers: readonly Sql[] }): Sql {
  // The last line of the text has the identifiers: what is in the names has the end of a line after it.
  const patterns = words.map((word) => {
    const escaped = word.replaceAll(/[\\%_]/g, '\\$&')
    return word.length < SHORTEST_PASTED ? `%${escaped}%\n%` : `%${escaped}%`
  })
  return sql`${place.names} || chr(10) || concat_ws(' ', ${sql.join(place.identifiers, sql`, `)})
    ilike all (${patterns}::text[])`
}
