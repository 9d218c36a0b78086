import type { Queryable } from '../db/queryable.ts'
import { sql } from '../db/sql.ts'
import { deadLetterQueue, schemaName } from './boss.ts'

/** A job that will not be tried again, kept for a person to look at. */
export interface DeadLetter {
  id: string
  task: string
  payload: unknown
  /** What the last try said. */
  reason: unknown
  at: Date
  /** The same moment to the microsecond, to go on from in a list. */
  position: string
}

const table = sql`${sql.ident(schemaName)}.job`
const columns = sql`id, source_name as task, data as payload, source_output as reason, created_on as at,
  created_on::text as position`
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export async function countDeadLetters(db: Queryable): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(
    sql`select count(*) as count from ${table} where name = ${deadLetterQueue}`,
  )
  return Number(count)
}

export async function listDeadLetters(
  db: Queryable,
  { limit, after }: DeadLetterPage,
): Promise<DeadLetter[]> {
  const isLater = after
    ? sql`(created_on, id) < (${after.position}::timestamptz, ${after.id}::uuid)`
    : sql`true`
  return db.rows<DeadLetter>(
    sql`select ${columns} from ${table} where name = ${deadLetterQueue} and ${isLater}
      order by created_on desc, id desc limit ${limit}`,
  )
}

export interface DeadLetterPage {
  limit: number
  /** The last one of the page before. */
  after?: { position: string; id: string } | undefined
}

/** Undefined when there is none of that name, or somebody else has just taken it. */
export async function lockDeadLetter(tx: Queryable, id: string): Promise<DeadLetter | undefined> {
  if (!uuidPattern.test(id)) return undefined
  return tx.maybeOne<DeadLetter>(
    sql`select ${columns} from ${table} where name = ${deadLetterQueue} and id = ${id}::uuid for update`,
  )
}
