import { Type } from 'typebox'
import type { Cursors } from '../../platform/http/cursor.ts'
import { createCursors } from '../../platform/http/cursor.ts'

export interface PageRequest {
  jobId: string
  limit: number
  cursor: string | undefined
}

/** How a store is queried: newest first, before a position in the log. */
export interface EarlierThan {
  jobId: string
  before: bigint | undefined
  limit: number
}

export interface Page<Row> {
  rows: Row[]
  nextCursor: string | null
}

const Place = Type.Object({ seq: Type.String() })
export type RoomCursors = Cursors<{ seq: string }>

export const createRoomCursors = (secret: string, list: string): RoomCursors =>
  createCursors(Place, { secret, list })

/** One page of a log: its rows in chronological order, and the cursor of the page before it. */
export async function readPage<Row extends { seq: bigint }>(
  { jobId, limit, cursor }: PageRequest,
  cursors: RoomCursors,
  listEarlier: (page: EarlierThan) => Promise<Row[]>,
): Promise<Page<Row>> {
  const before = cursor === undefined ? undefined : BigInt(cursors.read(cursor, jobId).seq)
  // One more than requested shows whether there is a page before.
  const found = await listEarlier({ jobId, before, limit: limit + 1 })
  const rows = found.slice(0, limit).reverse()
  const [oldest] = rows
  const hasEarlier = found.length > limit && oldest !== undefined
  return { rows, nextCursor: hasEarlier ? cursors.write({ seq: String(oldest.seq) }, jobId) : null }
}
