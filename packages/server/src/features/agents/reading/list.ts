import { Type } from 'typebox'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createCursors } from '../../../platform/http/cursor.ts'
import { keyOf } from '../rules.ts'
import { type ListedRow, listedColumns } from '../store.ts'

export interface ListQuery {
  category?: string | undefined
  minReputation?: number | undefined
  limit: number
  cursor?: string | undefined
}

export interface ListPage {
  rows: ListedRow[]
  nextCursor: string | null
}

/** All agents that can be found, newest first. Each page begins where the last one ended, so the thousandth costs what the first does. */
export function createAgentList({ searchDb, cursorSecret }: { searchDb: Queryable; cursorSecret: string }) {
  const cursors = createCursors(Type.Object({ createdAtMs: Type.Integer(), id: Type.String() }), {
    secret: cursorSecret,
    list: 'agents',
  })

  return async (query: ListQuery): Promise<ListPage> => {
    const { limit } = query
    const categoryKey = query.category === undefined ? null : keyOf(query.category)
    const filter = [categoryKey, query.minReputation ?? null]
    const after = query.cursor === undefined ? undefined : cursors.read(query.cursor, filter)
    const conditions = [sql`listed`]
    if (categoryKey !== null) conditions.push(sql`category_key = ${categoryKey}`)
    if (query.minReputation) conditions.push(sql`average_rating >= ${query.minReputation}::float8`)
    if (after) conditions.push(sql`(created_at, id) < (${new Date(after.createdAtMs)}, ${after.id})`)
    const rows = await searchDb.rows<ListedRow>(sql`
      select ${listedColumns} from agents where ${sql.join(conditions, sql` and `)}
      order by created_at desc, id desc limit ${limit + 1}`)
    const last = rows[limit - 1]
    if (rows.length <= limit || !last) return { rows, nextCursor: null }
    const position = { createdAtMs: last.created_at.getTime(), id: last.id }
    return { rows: rows.slice(0, limit), nextCursor: cursors.write(position, filter) }
  }
}
