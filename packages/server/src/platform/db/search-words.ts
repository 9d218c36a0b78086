import { invalidField, SEARCH_MAX_WORDS } from '@agent-marketplace/contract'
import type { Sql } from './sql.ts'
import { sql } from './sql.ts'

/** Below this a word is no part of an identifier that somebody pasted: it would find random ones. */
const SHORTEST_START = 6

/** The words of the search box `q`, each once. Each costs a look at every row, so more than a few are rejected. */
export function wordsOf(text: string | undefined): string[] {
  const words = [...new Set((text ?? '').split(/\s+/).filter((word) => word !== ''))]
  if (words.length > SEARCH_MAX_WORDS)
    throw invalidField('/q', `must have at most ${SEARCH_MAX_WORDS} different words`)
  return words
}

/**
 * Whether a row has each of the words, in any letter case: anywhere in `names`, or at the start of one of `identifiers`.
 * The text of the statement is the same for any number of words, and what they are looked for in is read once for a row.
 */
export function hasWords(words: readonly string[], place: { names: Sql; identifiers: readonly Sql[] }): Sql {
  const escaped = words.map((word) => word.replaceAll(/[\\%_]/g, '\\$&'))
  // Neither words nor identifiers have blanks in them, and each identifier follows one.
  const starts = escaped.map((word, at) => ((words[at]?.length ?? 0) < SHORTEST_START ? '' : `% ${word}%`))
  return sql`not exists (
    with place as materialized (
      select ${place.names} as names, ' ' || concat_ws(' ', ${sql.join(place.identifiers, sql`, `)}) as identifiers)
    select 1 from place, unnest(${escaped.map((word) => `%${word}%`)}::text[], ${starts}::text[]) as word (anywhere, start)
    where not (place.names ilike word.anywhere or place.identifiers ilike word.start))`
}
