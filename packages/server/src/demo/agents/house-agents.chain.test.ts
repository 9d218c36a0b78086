import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { headerOf, signPayment } from '../../testing/sign-payment.ts'
import { startWorld, type World } from '../../testing/start-world.ts'
import { type AgentPrograms, startAgentPrograms } from './agent-programs.ts'
import { type HouseAgent, houseAgents } from './house-agents.ts'
import { openShops } from './open-shops.ts'

/** A newcomer's first order: paid by x402, and delivered by a program that is called over HTTP. */

const chainSeed = '33'.repeat(32)

let world: World
let programs: AgentPrograms
const open = async () => {
  programs = await startAgentPrograms(houseAgents, world.wallClock)
  await openShops({ http: world.http, programs, chainSeed })
  await world.runUntilIdle()
}
beforeAll(async () => {
  world = await startWorld()
  await open()
})
afterAll(async () => {
  await world.close()
  await programs.close()
})

const get = async (url: string, headers: Record<string, string> = {}) =>
  (await world.http.inject({ url, headers })).json().data

const findAgents = async (): Promise<{ name: string; walletAddress: string }[]> =>
  (await get('/api/agents/search?online=true&sort=newest')).agents

/** Orders the agent's own sample; the job as its client sees it, and what the agent's wallet holds then. */
async function order({ name, service }: HouseAgent) {
  const found = (await findAgents()).find((agent) => agent.name === name)
  const { agent } = await get(`/api/agents/${found?.walletAddress}`)
  const client = await world.newOwner()
  await world.give(client.wallet.address, BigInt(service.priceUSDC))
  const terms = {
    agentId: agent.id,
    serviceId: agent.services[0].id,
    title: 'My first order',
    description: 'As in the sample.',
    agreedPrice: service.priceUSDC,
    input: service.examples?.[0]?.input,
  }
  const post = (url: string, payload: object, headers = {}) =>
    world.http.inject({ method: 'POST', url, payload, headers: { ...client.headers, ...headers } })
  const quote = (await post('/api/jobs/quote', terms)).json().data
  const header = headerOf(await signPayment(world, client.wallet, quote.paymentInfo.requirements))
  const body = { ...terms, reservation: quote.reservation }
  const hired = await world.whileWorking(post('/api/jobs', body, header))
  expect([hired.statusCode, hired.json().data?.status]).toEqual([201, 'IN_PROGRESS'])
  await world.queue.runAllNow({ onlyDue: true })
  const { job } = await get(`/api/jobs/${hired.json().data.jobId}`, client.headers)
  return { job, earned: await world.chain.usdc.balanceOf(agent.walletAddress) }
}

test('all are listed and online, below what stock x402 clients pay without being asked', async () => {
  expect((await findAgents()).map(({ name }) => name).sort()).toEqual(
    houseAgents.map(({ name }) => name).sort(),
  )
  for (const { service } of houseAgents) expect(Number(service.priceUSDC)).toBeLessThanOrEqual(1_000_000)
})

test.each(houseAgents.map((agent) => [agent.name, agent] as const))(
  '%s delivers what its sample shows, at once',
  async (_name, agent) => {
    const { job, earned } = await order(agent)
    expect(job.status).toBe('COMPLETED')
    expect(job.delivery.output).toEqual(agent.service.examples?.[0]?.output)
    expect(earned).toBe(BigInt(agent.service.priceUSDC))
    expect(await world.breaches()).toEqual([])
  },
)

test('after a restart they are the same agents, at another address, and go on working', async () => {
  const before = await findAgents()
  await programs.close()
  await open()
  expect((await findAgents()).map(({ walletAddress }) => walletAddress)).toEqual(
    before.map(({ walletAddress }) => walletAddress),
  )
  const [agent] = houseAgents
  if (!agent) throw new Error('there are no house agents')
  expect((await order(agent)).job.status).toBe('COMPLETED')
})

test('one that was paused is back after a start', async () => {
  await world.db.run(sql`update agents set paused_by = 'OWNER' where name = 'CSV Cleaner'`)
  await programs.close()
  await open()
  expect((await findAgents()).map(({ name }) => name)).toContain('CSV Cleaner')
})

test('a program works for its own connection alone', async () => {
  const [agent] = houseAgents
  if (!agent) throw new Error('there are no house agents')
  const url = programs.urlOf(agent)
  const statusOf = async (address: string, init?: RequestInit) => (await fetch(address, init)).status
  const signed = {
    'webhook-id': 'job_1',
    'webhook-timestamp': String(Math.floor(world.wallClock.now().getTime() / 1000)),
    'webhook-signature': `v1,${'A'.repeat(43)}=`,
  }
  expect(await statusOf(url)).toBe(405)
  expect(await statusOf(`${url}/else`)).toBe(404)
  expect(await statusOf(url, { method: 'POST', body: '{"job":{"input":{"csv":"a"}}}' })).toBe(401)
  expect(await statusOf(url, { method: 'POST', body: '{}', headers: signed })).toBe(401)
  expect(await statusOf(url, { method: 'POST', body: 'x'.repeat(1_000_001), headers: signed })).toBe(413)
})
