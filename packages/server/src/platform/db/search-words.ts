import type { Sql } from './sql.ts'
import { sql } from './sql.ts'

/** Below this a word is no part of an identifier that somebody pasted: it would find random ones. */
const SHORTEST_START = 6

/** The words of a search box, each once. */
export const wordsOf = (text: string | undefined): string[] => [
  ...new Set((text ?? '').split(/\s+/).filter((word) => word !== '')),
]

/**
 * Whether a row has each of the words, in any letter case: anywhere in `names`, or at the start of one of `identifiers`.
 * The text of the statement is the same for any number of words.
 */
export function hasWords(words: readonly string[], place: { names: Sql; identifiers: readonly Sql[] }): Sql {
  const escaped = words.map((word) => word.replaceAll(/[\\%_]/g, '\\$&'))
  const starts = escaped.map((word, at) => ((words[at]?.length ?? 0) < SHORTEST_START ? '' : `${word}%`))
  const identified = place.identifiers.map(
    (identifier) => sql`or coalesce(${identifier}, '-') ilike word.start`,
  )
  return sql`not exists (
    select 1 from unnest(${escaped.map((word) => `%${word}%`)}::text[], ${starts}::text[]) as word (anywhere, start)
    where not (${place.names} ilike word.anywhere ${sql.join(identified, sql` `)}))`
}
