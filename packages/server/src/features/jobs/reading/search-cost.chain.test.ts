import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { startDeal } from '../testing/start-deal.ts'
import { listJobs } from './list-store.ts'

const JOBS = 2_300

let deal: Awaited<ReturnType<typeof startDeal>>
beforeAll(async () => {
  deal = await startDeal()
  const { world, calls, client, stranger, agent } = deal
  const { jobId } = await calls.hire(client, agent, '5000000')
  await calls.hire(stranger, agent, '5000000')
  await world.db.run(sql`
    insert into jobs select (jsonb_populate_record(jobs, jsonb_build_object(
      'id', 'c' || lpad(n::text, 24, '0')))).* from jobs, generate_series(2, ${JOBS}) n where jobs.id = ${jobId}`)
  await world.db.run(sql`analyze jobs`)
})
afterAll(() => deal.world.close())

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** Explains each statement, by running it, and returns none of its rows. */
function explaining(db: Queryable, plans: PlanNode[]): Queryable {
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
function rowsRead(nodes: readonly PlanNode[], read: Record<string, number> = {}): Record<string, number> {
  for (const node of nodes) {
    const table = node['Relation Name']
    const each = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
    if (table !== undefined) read[table] = (read[table] ?? 0) + each * node['Actual Loops']
    rowsRead(node.Plans ?? [], read)
  }
  return read
}

test.each(['client', 'seller'] as const)(
  'a word that no job of the %s has costs one look at each job, and names are read once',
  async (role) => {
    const { world, [role]: owner } = deal
    const plans: PlanNode[] = []
    await listJobs(explaining(world.db, plans), {
      ownerId: owner.ownerId,
      role,
      status: undefined,
      agentId: undefined,
      words: ['nowhere'],
      sort: 'newest',
      after: undefined,
      limit: 21,
    })
    const read = rowsRead(plans)
    expect(read.jobs).toBeGreaterThanOrEqual(JOBS)
    expect(read.jobs).toBeLessThanOrEqual(JOBS + 1)
    expect(read.agents).toBeLessThan(20)
    expect(read.owners).toBeLessThan(20)
  },
)
