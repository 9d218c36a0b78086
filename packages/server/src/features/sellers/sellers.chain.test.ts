import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { createJobCalls, type JobCalls } from '../jobs/testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../jobs/testing/start-jobs.ts'

let world: TestJobs
let calls: JobCalls
let seller: TestOwner
let client: TestOwner
let lark: TestAgent
let wren: TestAgent

beforeAll(async () => {
  world = await startJobs()
  calls = createJobCalls(world)
  seller = await world.newOwner({ kycStatus: 'VERIFIED' })
  client = await world.newOwner()
  lark = await world.newAgent(seller)
  await world.advance(60)
  wren = await world.newAgent(seller, { name: 'Wren' })
  await world.db.run(sql`
    update owners set entity_type = 'LLC', entity_name = 'Swan Audits Ltd', email = 'swan@example.com'
    where id = ${seller.ownerId}`)
})
afterAll(() => world.close())

/** The number that the registry gave an agent is what makes its seller's wallet public. */
const register = ({ id }: TestAgent, number: number) =>
  world.db.run(sql`update agents set on_chain_agent_id = ${number} where id = ${id}`)

const read = (path = '', wallet: string = seller.wallet.address) =>
  world.http.inject({ url: `/api/sellers/${wallet}${path}` })

async function completedJob(agent: TestAgent, buyer: TestOwner = client): Promise<string> {
  const deadline = new Date(world.clock.now().getTime() + 86_400_000).toISOString()
  const jobId = await calls.hireAndFund(buyer, agent, '150000000', { deadline })
  await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
  await calls.act(buyer, jobId, 'approve')
  await world.engine.runUntilIdle()
  return jobId
}

test('404 for strangers, buyers, and a seller whom the chain does not show yet', async () => {
  for (const wallet of [`0x${'0'.repeat(40)}`, client.wallet.address, seller.wallet.address, lark.wallet]) {
    for (const path of ['', '/agents', '/reviews']) {
      const response = await read(path, wallet)
      expect([response.statusCode, response.json().error.code]).toEqual([404, 'NOT_FOUND'])
    }
  }
  const detail = await world.http.inject({ url: `/api/agents/${lark.wallet}` })
  expect(detail.json().data.agent.sellerWallet).toBeNull()
  expect((await read('', '0x12')).statusCode).toBe(400)
})

test('a seller has a verified name, sums of what counts, agents and reviews, and nothing private', async () => {
  await register(lark, 71)
  await register(wren, 72)
  const [first, second] = [await completedJob(lark), await completedJob(wren)]
  await calls.act(client, first, 'review', { rating: 5, comment: 'Every figure matched.' })
  await world.advance(60)
  await calls.act(client, second, 'review', { rating: 4 })
  // A job with one's own agent is done and paid, and says nothing.
  await completedJob(lark, seller)
  await world.tick('scores')

  for (const wallet of [seller.wallet.address, seller.wallet.address.toLowerCase()]) {
    const response = await read('', wallet)
    expect(response.json().data).toEqual({
      walletAddress: seller.wallet.address,
      verifiedBusiness: 'Swan Audits Ltd',
      sellingSince: expect.any(String),
      listedAgents: 2,
      averageRating: 4.5,
      ratingSum: 9,
      ratingCount: 2,
      completedJobs: 2,
      cancelledJobs: 0,
      settledVolume: '300000000',
      onTimeRate: 1,
      onTimeSample: 2,
      deliveryRate: 1,
      deliverySample: 2,
      disputeRate: 0,
      disputeSample: 2,
    })
  }
  const agents = (await read('/agents?limit=1&offset=1')).json().data
  expect(agents).toMatchObject({ total: 2, limit: 1, offset: 1, agents: [{ name: 'Wren' }] })
  expect(agents.agents[0].sellerWallet).toBe(seller.wallet.address)
  const detail = await world.http.inject({ url: `/api/agents/${lark.wallet}` })
  expect(detail.json().data.agent.sellerWallet).toBe(seller.wallet.address)

  const newest = (await read('/reviews?limit=1')).json()
  expect(newest.data).toMatchObject([
    { jobId: second, rating: 4, agentName: 'Wren', agentWallet: wren.wallet, counted: true },
  ])
  const older = (await read(`/reviews?limit=1&cursor=${newest.nextCursor}`)).json()
  expect(older).toMatchObject({
    data: [{ jobId: first, comment: 'Every figure matched.' }],
    nextCursor: null,
  })
  expect((await read('/reviews?cursor=made-up')).statusCode).toBe(400)
  for (const path of ['', '/agents', '/reviews']) {
    const { body } = await read(path)
    expect(body).not.toContain(seller.ownerId)
    expect(body).not.toContain('swan@example.com')
  }
})

test('a paused agent stays in the sums and leaves the list; a person’s name is never shown', async () => {
  await calls.send(seller, `/api/agents/${wren.wallet}/pause`)
  expect((await read('/agents')).json().data).toMatchObject({ total: 1, agents: [{ id: lark.id }] })
  await world.db.run(sql`update owners set entity_type = 'INDIVIDUAL' where id = ${seller.ownerId}`)
  expect((await read()).json().data).toMatchObject({
    verifiedBusiness: null,
    listedAgents: 1,
    completedJobs: 2,
    ratingCount: 2,
  })
})
