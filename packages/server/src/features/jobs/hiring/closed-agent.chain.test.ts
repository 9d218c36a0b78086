import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { createJobCalls, type JobCalls } from '../testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../testing/start-jobs.ts'

/** An agent is closed between the hire and the payment, or between the payment and the delivery. */

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner

beforeAll(async () => {
  world = await startJobs()
  calls = createJobCalls(world)
  seller = await world.newOwner()
  client = await world.newOwner()
  await world.give(client.wallet.address, 1_000_000_000n)
})
afterAll(() => world.close())
afterEach(async () => {
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

const close = ({ id }: TestAgent, change: Sql) =>
  world.db.run(sql`update agents set ${change} where id = ${id}`)

const balance = () => world.chain.usdc.balanceOf(client.wallet.address)

const closings: [status: string, change: Sql][] = [
  ['SUSPENDED', sql`owner_active = false`],
  ['PAUSED', sql`paused_by = 'OWNER'`],
  ['REJECTED', sql`approval_status = 'REJECTED'`],
]

test.each(closings)('%s before the payment: nobody pays for what may not begin', async (status, change) => {
  const agent: TestAgent = await world.newAgent(seller)
  const cheap = await calls.hire(client, agent, '5000000')
  const dear = await calls.hire(client, agent, '150000000')
  const header = await calls.x402Header(client.wallet, await calls.act(client, cheap.jobId, 'pay'))
  const signed = await calls.sign(client.wallet, dear.paymentInfo.typedData)
  const before = await balance()
  await close(agent, change)
  const refused = [
    await calls.act(client, cheap.jobId, 'pay'),
    await calls.send(client, `/api/jobs/${cheap.jobId}/pay`, undefined, header),
    await calls.act(client, dear.jobId, 'pay', signed),
  ]
  for (const response of refused) {
    expect([response.statusCode, response.json().error.details.status]).toEqual([409, status])
    expect(response.headers).not.toHaveProperty('payment-required')
  }
  await world.engine.runUntilIdle()
  expect(await balance()).toBe(before)
  for (const { jobId } of [cheap, dear]) {
    expect((await calls.act(client, jobId, 'cancel')).statusCode).toBe(200)
  }
})

test('after the payment: the job goes on to its end and is paid', async () => {
  const agent = await world.newAgent(seller)
  const jobId = await calls.hireAndFund(client, agent)
  for (const [, change] of closings) await close(agent, change)
  expect((await calls.act(seller, jobId, 'deliver', { content: 'Done.' })).statusCode).toBe(200)
  expect((await calls.act(client, jobId, 'approve')).statusCode).toBe(200)
  await world.engine.runUntilIdle()
  expect(await world.chain.usdc.balanceOf(agent.wallet)).toBe(147_000_000n)
})
