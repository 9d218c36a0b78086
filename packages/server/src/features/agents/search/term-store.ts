import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { KnownWord } from './terms.ts'
import { listedCount } from './total.ts'

interface CountedRow {
  lexeme: string
  count: bigint
}

const wordOf = ({ lexeme, count }: CountedRow): KnownWord => ({ lexeme, listedCount: Number(count) })

/**
 * The words of a text, without those that every text has, in the order of the alphabet: as English stems, and as those of
 * other languages that agents have. A word that nobody has in any language is one in English.
 */
export async function findWords(
  db: Queryable,
  text: string,
  languages: readonly string[],
): Promise<KnownWord[]> {
  const rows = await db.rows<CountedRow>(sql`
    with stems as (
      select language, lexeme, place, coalesce(listed_count, 0) as count
      from unnest(${['en', ...languages]}::text[]) language
        cross join lateral unnest(to_tsvector(stemming_of(language), ${text})) stem
        cross join lateral unnest(stem.positions) place
        left join agent_term_counts on kind = 'WORD' and term = lexeme)
    select distinct lexeme, count from stems
    where count > 0 or language = 'en'
      and not exists (select 1 from stems known where known.place = stems.place and known.count > 0)
    order by lexeme`)
  return rows.map(wordOf)
}

/** The languages of profiles beside English. */
export async function findLanguages(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ language: string }>(
    sql`select language from search_languages order by language`,
  )
  return rows.map(({ language }) => language)
}

export async function countAgents(db: Queryable): Promise<number> {
  const { matchCount } = await db.one<{ matchCount: bigint }>(listedCount(undefined))
  return Number(matchCount)
}

/** As many as are compared letter by letter. */
const MAX_ALIKE = 20

/** Words that agents have and that look like a given one, by it. `setLikeness` says how alike they must be. */
export async function findAlike(tx: Queryable, lexemes: string[]): Promise<Map<string, KnownWord[]>> {
  const rows = await tx.rows<CountedRow & { wanted: string }>(sql`
    select wanted, alike.term as lexeme, alike.listed_count as count
    from unnest(${lexemes}::text[]) wanted cross join lateral (
      select term, listed_count from agent_term_counts
      where kind = 'WORD' and term % wanted and listed_count > 0
      order by similarity(term, wanted) desc, term limit ${MAX_ALIKE}) alike`)
  const alike = new Map<string, KnownWord[]>()
  for (const row of rows) alike.set(row.wanted, [...(alike.get(row.wanted) ?? []), wordOf(row)])
  return alike
}

/**
 * How alike names and words must be to pass for a typing error; the defaults of 0.6 and 0.3 miss swapped letters. Words are
 * compared again, letter by letter.
 */
export async function setLikeness(tx: Queryable): Promise<void> {
  await tx.one(sql`
    select set_config('pg_trgm.word_similarity_threshold', '0.4', true) as names,
      set_config('pg_trgm.similarity_threshold', '0.25', true) as words`)
}
