import type { Queryable } from '../platform/db/queryable.ts'
import { type Sql, sql } from '../platform/db/sql.ts'

export interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** Explains each statement, by running it, and returns none of its rows. */
export function explaining<Db extends Queryable>(db: Db, plans: PlanNode[]): Db {
  const rows = async <Row>(statement: Sql): Promise<Row[]> => {
    const [row] = await db.rows<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      sql`explain (analyze, format json) ${statement}`,
    )
    plans.push(...(row?.['QUERY PLAN'] ?? []).map(({ Plan }) => Plan))
    return []
  }
  return { ...db, rows }
}

/** How many rows of each table were looked at. */
export function rowsRead(
  nodes: readonly PlanNode[],
  read: Record<string, number> = {},
): Record<string, number> {
  for (const node of nodes) {
    const table = node['Relation Name']
    const each = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
    if (table !== undefined) read[table] = (read[table] ?? 0) + each * node['Actual Loops']
    rowsRead(node.Plans ?? [], read)
  }
  return read
}
