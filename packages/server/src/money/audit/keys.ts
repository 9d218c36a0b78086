import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { InvariantDeps, KeyPage, Subject } from './invariant.ts'

/** The keys that a statement returns in its column `key`. */
export async function readKeys(db: Queryable, statement: Sql): Promise<string[]> {
  const rows = await db.rows<{ key: string }>(statement)
  return rows.map(({ key }) => key)
}

/** How changed keys of one kind become keys of another, by one statement. */
export const keysBy =
  (find: (keys: string[]) => Sql) =>
  (db: Queryable, keys: string[]): Promise<string[]> =>
    readKeys(db, find(keys))

/** All rows of a table, in the order of a column that has an index. */
export const rowsOf =
  (table: string, column: string): Subject['list'] =>
  ({ db }: InvariantDeps, { after, limit }: KeyPage): Promise<string[]> => {
    const [from, key] = [sql.ident(table), sql.ident(column)]
    return readKeys(
      db,
      sql`select ${key} as key from ${from} where ${key} > ${after} order by ${key} limit ${limit}`,
    )
  }
