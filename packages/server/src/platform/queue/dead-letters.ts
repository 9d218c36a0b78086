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
}

const table = sql`${sql.ident(schemaName)}.job`

export async function countDeadLetters(db: Queryable): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(
    sql`select count(*) as count from ${table} where name = ${deadLetterQueue}`,
  )
  return Number(count)
}

export async function listDeadLetters(db: Queryable, limit: number): Promise<DeadLetter[]> {
  return db.rows<DeadLetter>(
    sql`select id, source_name as task, data as payload, source_output as reason, created_on as at
      from ${table} where name = ${deadLetterQueue} order by created_on desc, id limit ${limit}`,
  )
}
