import type { AgentSearch } from '@agent-marketplace/contract'
import { createAgentSearch, type SearchPage } from '../../features/agents/search/search.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'

/** Search over a catalogue whose names are all different: what it finds, by name. */
export function createNameSearch(db: Database) {
  const search = createAgentSearch({ searchDb: db, sellerVersion: () => sql`null` })
  return async (query: AgentSearch): Promise<Omit<SearchPage, 'rows'> & { names: string[] }> => {
    const { rows, ...page } = await search(query)
    const ids = rows.map(({ id }) => id)
    const named = await db.rows<{ name: string }>(
      sql`select name from agents where id = any(${ids}) order by array_position(${ids}, id)`,
    )
    return { ...page, names: named.map(({ name }) => name) }
  }
}
