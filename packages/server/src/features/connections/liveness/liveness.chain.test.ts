import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { respondWith, startReceiver } from '../../../testing/processes/start-receiver.ts'
import type { TestAgent } from '../../jobs/testing/start-jobs.ts'
import { startA2aAgent } from '../testing/start-a2a-agent.ts'
import { respondJson, startConnections } from '../testing/start-connections.ts'

/** Which connected agents are there: real programs that respond, or do not, and a clock that the test moves. */

const PROBE_SECONDS = 300

let world: Awaited<ReturnType<typeof startConnections>>
beforeAll(async () => {
  world = await startConnections()
  // The worker also does what waits for the books, which begin with the first block.
  await world.engine.runUntilIdle()
})
afterAll(() => world.close())
beforeEach(() => world.program.respondWith(respondWith(405)))

const detailOf = async (agent: TestAgent) =>
  (await world.inject('GET', `/api/agents/${agent.wallet}`, {})).json().data.agent

const idsOf = async (url: string): Promise<string[]> => {
  const { data } = (await world.inject('GET', url, {})).json()
  return (data.agents ?? data).map(({ id }: { id: string }) => id)
}

/** Past the time of the next probe, with all that the worker does then. */
async function probe(seconds = PROBE_SECONDS): Promise<void> {
  await world.advance(seconds)
  await world.work()
}

const pings = () => world.program.received.filter(({ method }) => method === 'GET')

describe('a connected agent', () => {
  test('is online when its program responds, whatever it makes of a GET, and is found by that', async () => {
    const { agent } = await world.newConnectedAgent()
    expect(await detailOf(agent)).toMatchObject({ online: null, lastSeenAt: null })
    expect(await idsOf('/api/agents?online=true')).not.toContain(agent.id)
    const before = pings().length
    await probe()
    const [ping] = pings().slice(before)
    expect(ping).toMatchObject({ path: '/hook', body: '' })
    expect(ping?.headers).not.toHaveProperty('webhook-signature')
    expect(await detailOf(agent)).toMatchObject({
      online: true,
      lastSeenAt: expect.stringMatching(/^2\d{3}-/),
      medianFirstProgressSeconds: null,
    })
    for (const url of ['/api/agents', '/api/agents/search']) {
      expect(await idsOf(`${url}?online=true&limit=100`)).toContain(agent.id)
      expect(await idsOf(`${url}?online=false&limit=100`)).not.toContain(agent.id)
    }
  })

  test('is offline when its program is gone, with the time when it was last seen, and nothing else happens', async () => {
    const { agent, seller, url } = await world.newConnectedAgent()
    const own = await startReceiver()
    await world.inject('PUT', url, seller.headers, { kind: 'HTTP', url: own.url })
    await probe()
    const { online, lastSeenAt } = await detailOf(agent)
    expect(online).toBe(true)
    await own.close()
    await probe()
    await probe()
    await probe()
    expect(await detailOf(agent)).toMatchObject({
      online: false,
      lastSeenAt,
      paused: false,
      listing: { visible: true, reasons: [] },
    })
    expect(await world.connectionOf(seller, agent)).toMatchObject({ failedJobsInRow: 0, lastCall: null })
    expect(await idsOf('/api/agents?online=true&limit=100')).not.toContain(agent.id)
    expect(await idsOf('/api/agents?online=false&limit=100')).toContain(agent.id)
  })

  test('is offline when a gateway says that nobody is behind it, and is probed ever less often', async () => {
    const { agent, seller, url } = await world.newConnectedAgent()
    const own = await startReceiver()
    own.respondWith(respondWith(502))
    await world.inject('PUT', url, seller.headers, { kind: 'HTTP', url: own.url })
    await probe(60)
    expect((await detailOf(agent)).online).toBe(false)
    const countIn = async (seconds: number) => {
      const before = own.received.length
      await probe(seconds)
      return own.received.length - before
    }
    expect(await countIn(60)).toBe(1)
    expect(await countIn(60)).toBe(0)
    expect(await countIn(60)).toBe(1)
    own.respondWith(respondWith(200))
    expect(await countIn(240)).toBe(1)
    expect((await detailOf(agent)).online).toBe(true)
    await own.close()
  })

  test('of kind A2A is online while its card can be read', async () => {
    const { agent, seller, url } = await world.newConnectedAgent()
    const a2a = await startA2aAgent()
    await world.inject('PUT', url, seller.headers, { kind: 'A2A', url: a2a.url })
    await probe()
    expect((await detailOf(agent)).online).toBe(true)
    expect(a2a.received).toEqual([])
    await a2a.close()
    await probe()
    expect((await detailOf(agent)).online).toBe(false)
  })

  test('of kind A2A keeps the skills of its own card, after what can be ordered and while it is away', async () => {
    const service = { id: 'creconcile000000000000001', priceMicro: '2500000', deliveryHours: 24 }
    const { agent, seller, url } = await world.newConnectedAgent({ services: [service] })
    const skillsOf = async () =>
      (await world.inject('GET', `/api/agents/${agent.wallet}/agent-card.json`, {})).json().skills
    const ordered = await skillsOf()
    expect(ordered).toContainEqual(expect.objectContaining({ id: service.id }))
    const a2a = await startA2aAgent()
    const own = { id: 'match', name: 'Match transfers', description: 'With invoices.', tags: ['books'] }
    a2a.nameSkills([own, { ...own, id: service.id }])
    await world.inject('PUT', url, seller.headers, { kind: 'A2A', url: a2a.url })
    expect(await skillsOf()).toEqual(ordered)
    await probe()
    expect(await skillsOf()).toEqual([...ordered, own])
    await a2a.close()
    await probe()
    expect((await detailOf(agent)).online).toBe(false)
    expect(await skillsOf()).toEqual([...ordered, own])
    await world.inject('PUT', url, seller.headers, { kind: 'HTTP', url: world.program.url })
    expect(await skillsOf()).toEqual(ordered)
  })

  test('is unknown again when its URL changes or it is connected no more', async () => {
    const { agent, seller, url } = await world.newConnectedAgent()
    await probe()
    expect((await detailOf(agent)).online).toBe(true)
    const set = (payload: object) => world.inject('PUT', url, seller.headers, payload)
    await set({ kind: 'HTTP', url: world.program.url, newSecret: true })
    expect((await detailOf(agent)).online).toBe(true)
    await set({ kind: 'HTTP', url: `${world.program.url}/other` })
    expect((await detailOf(agent)).online).toBeNull()
    await probe()
    expect((await detailOf(agent)).online).toBe(true)
    await set({ kind: 'MANUAL' })
    expect(await detailOf(agent)).toMatchObject({ online: null, lastSeenAt: null })
    for (const online of [true, false])
      expect(await idsOf(`/api/agents?online=${online}&limit=100`)).not.toContain(agent.id)
  })
})

describe('a sign of life', () => {
  test('is a job that is taken, a report and a delivery; the first report is timed', async () => {
    const { agent, seller } = await world.newConnectedAgent()
    const client = await world.newOwner()
    world.program.respondWith(respondWith(202))
    const jobId = await world.hireAndFund(client, agent)
    await world.work()
    expect((await detailOf(agent)).online).toBe(true)
    await setOffline(agent)
    const token = world.sentFor(jobId)[0]?.body.callback.token
    const startedAt = Date.parse((await world.connectionOf(seller, agent)).dispatches[0].createdAt)
    await world.advance(40)
    await world.callback(jobId, token, { step: 'Reading' }, 'progress')
    const { online, medianFirstProgressSeconds, lastSeenAt } = await detailOf(agent)
    expect(online).toBe(true)
    expect(medianFirstProgressSeconds).toBeGreaterThanOrEqual(40)
    expect(medianFirstProgressSeconds).toBeLessThanOrEqual((Date.parse(lastSeenAt) - startedAt) / 1000)
    await setOffline(agent)
    await world.advance(100)
    await world.callback(jobId, token, { content: 'Done.' })
    expect(await detailOf(agent)).toMatchObject({ online: true, medianFirstProgressSeconds })
  })

  test('is on the first page at once, though that is kept', async () => {
    const { agent, seller, url } = await world.newConnectedAgent()
    world.program.respondWith(respondJson(200, { content: 'Hello.' }))
    const shown = async () => {
      const { data } = (await world.inject('GET', '/api/agents?limit=100', {})).json()
      return data.find(({ id }: { id: string }) => id === agent.id).online
    }
    expect([await shown(), await shown()]).toEqual([null, null])
    await world.inject('POST', `${url}/test`, seller.headers)
    expect(await shown()).toBe(true)
  })

  test('is a test job that goes well', async () => {
    const { agent, seller, url } = await world.newConnectedAgent()
    world.program.respondWith(respondWith(500))
    await world.inject('POST', `${url}/test`, seller.headers)
    expect((await detailOf(agent)).online).toBeNull()
    world.program.respondWith(respondJson(200, { content: 'Hello.' }))
    await world.inject('POST', `${url}/test`, seller.headers)
    expect((await detailOf(agent)).online).toBe(true)
  })

  test('of the last 20 jobs makes the median', async () => {
    const { agent } = await world.newConnectedAgent()
    const client = await world.newOwner()
    world.program.respondWith(respondJson(200, { content: 'Done.' }))
    const jobId = await world.hireAndFund(client, agent)
    // Twenty after it, of 1 to 20 minutes, and before them a slow one that counts no more.
    await world.db.run(sql`
      update agent_dispatches set first_progress_at = created_at where job_id = ${jobId}`)
    await addDispatches(agent, jobId, [
      600_000,
      ...Array.from({ length: 20 }, (_, index) => (index + 1) * 60),
    ])
    const second = await world.hireAndFund(client, agent)
    await world.work()
    expect((await world.jobOf(client, second)).status).toBe('UNDER_REVIEW')
    const { medianFirstProgressSeconds } = await detailOf(agent)
    // The second job, delivered at once, and those of 2 to 20 minutes.
    expect(medianFirstProgressSeconds).toBe(10.5 * 60)
  })
})

async function setOffline(agent: TestAgent): Promise<void> {
  await world.db.run(sql`update agents set online = false where id = ${agent.id}`)
}

async function addDispatches(agent: TestAgent, jobId: string, seconds: number[]): Promise<void> {
  for (const [index, each] of seconds.entries())
    await world.db.run(sql`
      insert into agent_dispatches (id, agent_id, job_id, round, state, give_up_at, created_at, first_progress_at)
      select ${`d${index}`}, ${agent.id}, ${jobId}, ${index + 100}, 'DELIVERED', d.give_up_at, d.created_at,
        d.created_at + make_interval(secs => ${each}::float8)
      from agent_dispatches d where d.job_id = ${jobId} and d.round = 1`)
}

test('an owner without a connection has an agent of which nothing is known', async () => {
  const manual = await world.newAgent(await world.newOwner())
  await probe()
  expect(await detailOf(manual)).toMatchObject({
    online: null,
    lastSeenAt: null,
    medianFirstProgressSeconds: null,
  })
})
