import { Type } from 'typebox'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { createCursors } from '../../../platform/http/cursor.ts'
import { keyOf } from '../rules.ts'
import { type ListedRow, listedColumns } from '../store.ts'

export interface ListQuery {
  category?: string | undefined
  minReputation?: number | undefined
  online?: boolean | undefined
  limit: number
  cursor?: string | undefined
}

export interface ListPage {
  rows: ListedRow[]
  nextCursor: string | null
}

interface Place {
  createdAtMs: number
  id: string
  /** Cursors from before agents were ranked down have none. */
  isMarked?: boolean
}

/**
 * All agents that can be found, newest first, and after them those that owe paid work. Each page begins where the last
 * one ended, so the thousandth costs what the first does.
 */
export function createAgentList({ searchDb, cursorSecret }: { searchDb: Queryable; cursorSecret: string }) {
  const cursors = createCursors(
    Type.Object({
      createdAtMs: Type.Integer(),
      id: Type.String(),
      isMarked: Type.Optional(Type.Boolean()),
    }),
    { secret: cursorSecret, list: 'agents' },
  )

  return async (query: ListQuery): Promise<ListPage> => {
    const { limit } = query
    const categoryKey = query.category === undefined ? null : keyOf(query.category)
    const filter = [
      categoryKey,
      query.minReputation ?? null,
      ...(query.online === undefined ? [] : [query.online]),
    ]
    const after = query.cursor === undefined ? undefined : cursors.read(query.cursor, filter)
    const filters = [sql`listed`]
    if (categoryKey !== null) filters.push(sql`category_key = ${categoryKey}`)
    if (query.online !== undefined) filters.push(sql`online = ${query.online}::boolean`)
    if (query.minReputation) filters.push(sql`average_rating >= ${query.minReputation}::float8`)

    const read = (marked: Sql, place: Place | undefined, count: number) => {
      const conditions = [...filters, marked]
      if (place) conditions.push(sql`(created_at, id) < (${new Date(place.createdAtMs)}, ${place.id})`)
      return searchDb.rows<ListedRow>(sql`
        select ${listedColumns} from agents where ${sql.join(conditions, sql` and `)}
        order by created_at desc, id desc limit ${count}`)
    }

    const isLate = after?.isMarked === true
    const rows = isLate ? [] : await read(sql`not is_marked`, after, limit + 1)
    const missing = limit + 1 - rows.length
    if (missing > 0) rows.push(...(await read(sql`is_marked`, isLate ? after : undefined, missing)))
    const last = rows[limit - 1]
    if (rows.length <= limit || !last) return { rows, nextCursor: null }
    const isMarked = last.undeliveredJobs > 0
    const place: Place = { createdAtMs: last.createdAt.getTime(), id: last.id, isMarked }
    return { rows: rows.slice(0, limit), nextCursor: cursors.write(place, filter) }
  }
}
