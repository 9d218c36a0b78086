import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { explaining, type PlanNode, rowsRead } from '../../../testing/explaining.ts'
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
