import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { KnownWord } from './terms.ts'
import { listedCount } from './total.ts'

interface CountedRow {
  lexeme: string
  count: bigint
}

const wordOf = ({ lexeme, count }: CountedRow): KnownWord => ({ lexeme, listedCount: Number(count) })

/** The words of a text, without those that every text has, in the order of the alphabet. */
export async function findWords(db: Queryable, text: string): Promise<KnownWord[]> {
  const rows = await db.rows<CountedRow>(sql`
    select lexeme, coalesce(listed_count, 0) as count
    from unnest(tsvector_to_array(to_tsvector('english', ${text}))) lexeme
      left join agent_term_counts on kind = 'WORD' and term = lexeme
    order by lexeme`)
  return rows.map(wordOf)
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
