import type { Queryable } from './queryable.ts'
import { type Sql, sql } from './sql.ts'

/** By one statement, which has ten seconds. */
export const REMOVED_AT_ONCE = 10_000

/**
 * Removes the rows of a table that fit a condition, some at a time until none is left: after days without a worker there
 * may be millions, and one statement for all of them would never come to its end.
 */
export async function removeRows(
  db: Queryable,
  { table, where, atOnce = REMOVED_AT_ONCE }: { table: string; where: Sql; atOnce?: number },
  signal: AbortSignal,
): Promise<void> {
  const from = sql.ident(table)
  // The condition is there twice: PostgreSQL looks at a row that was changed meanwhile again, some versions without its ctid.
  const removeSome = () =>
    db.run(sql`
      delete from ${from} where ${where} and ctid = any(array(select ctid from ${from} where ${where} limit ${atOnce}))`)
  while (!signal.aborted && (await removeSome()) === atOnce);
}
