import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { respondWith } from '../../../testing/processes/start-receiver.ts'
import { LANES_PER_SELLER } from '../tasks.ts'
import { respondJson, startConnections } from '../testing/start-connections.ts'

/** One seller whose agents are slow, or many, does not keep the jobs of others waiting. */

let world: Awaited<ReturnType<typeof startConnections>>
beforeEach(async () => {
  world = await startConnections()
})
afterEach(() => world.close())

test('a seller holds a few lanes, however many agents they have', async () => {
  const { agent, seller } = await world.newConnectedAgent()
  const second = await world.newAgent(seller)
  const url = `/api/agents/${second.wallet}/connection`
  await world.inject('PUT', url, seller.headers, { kind: 'HTTP', url: world.program.url })
  const client = await world.newOwner()
  for (let count = 0; count < LANES_PER_SELLER; count += 1) {
    await world.hireAndFund(client, agent)
    await world.hireAndFund(client, second)
  }
  let asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  world.program.respondWith(async (_request, response) => {
    asked.resolve()
    await released.promise
    response.writeHead(202).end()
  })
  const workers: Promise<void>[] = []
  for (let count = 0; count < 2 * LANES_PER_SELLER; count += 1) {
    asked = Promise.withResolvers()
    const worker = world.work()
    workers.push(worker)
    // Either it is held by an agent, or it finds nothing that it may do.
    await Promise.race([worker, asked.promise])
  }
  const jobs = world.program.received.filter(({ method }) => method === 'POST')
  expect(jobs).toHaveLength(LANES_PER_SELLER)
  released.resolve()
  await Promise.all(workers)
})

test.each([1, 30])(
  'hundreds of jobs to be tried again, of %s sellers, do not push out those of others',
  async (sellers) => {
    world.program.respondWith(respondWith(503))
    const crowd = await world.newConnectedAgent()
    const other = await world.newConnectedAgent()
    const client = await world.newOwner()
    const original = await world.hireAndFund(client, crowd.agent)
    await world.work()
    await world.db.transaction(async (tx) => {
      // These sellers do not exist.
      await tx.run(sql`set local session_replication_role = replica`)
      await tx.run(sql`
      insert into jobs select copy.* from jobs, generate_series(1, 600) n, jsonb_populate_record(jobs,
        jsonb_build_object('id', jobs.id || n, 'escrow_key', jobs.escrow_key || n, 'seller_id', 'seller' || n % ${sellers}::integer)) copy
      where jobs.id = ${original}`)
      await tx.run(sql`
      insert into agent_dispatches (id, agent_id, job_id, round, next_attempt_at, give_up_at, created_at)
      select 'crowd' || jobs.id, jobs.agent_id, jobs.id, 1, to_timestamp(0), to_timestamp(0) + interval '99 years', jobs.created_at
      from jobs where jobs.seller_id like 'seller%'`)
    })
    const jobId = await world.hireAndFund(client, other.agent)
    await world.db.run(sql`update agent_dispatches set attempts = 1 where job_id = ${jobId}`)
    world.program.respondWith(respondJson(200, { content: 'Done.' }))
    await world.tick('agent-dispatch')
    const queued = await world.db.rows<{ id: string }>(sql`
    select data ->> 'dispatchId' as id from pgboss.job
    where name = 'agent-dispatch' and (data ->> 'attempt')::integer = 2`)
    expect(queued.map(({ id }) => id)).toContain(`job_${jobId}_1`)
  },
)
