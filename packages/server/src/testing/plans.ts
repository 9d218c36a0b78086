import type { Database } from '../platform/db/database.ts'
import { type Sql, sql } from '../platform/db/sql.ts'

/** The plans of all that a store reads, as text. */
export async function plansOf(db: Database, read: (db: Database) => Promise<unknown>): Promise<string> {
  const statements: Sql[] = []
  const noted = async (statement: Sql) => {
    statements.push(statement)
    return db.rows<never>(statement)
  }
  const first = async <Row>(statement: Sql): Promise<Row> => (await noted(statement))[0] as Row
  await read({ ...db, rows: noted, one: first, maybeOne: first })
  const plans = await Promise.all(
    statements.map((statement) => db.rows<Record<string, string>>(sql`explain (costs off) ${statement}`)),
  )
  return plans
    .flat()
    .map((line) => Object.values(line).join(' '))
    .join('\n')
}

/** The tables and partitions that these plans look into, in the order of their names. */
export async function scannedPartitions(
  db: Database,
  read: (db: Database) => Promise<unknown>,
): Promise<string[]> {
  const plans = await plansOf(db, read)
  return [...new Set([...plans.matchAll(/ on (\w+)/g)].map(([, name = '']) => name))].sort()
}
