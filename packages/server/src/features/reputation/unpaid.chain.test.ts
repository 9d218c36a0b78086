import { prepareTransfer } from '@agent-marketplace/chain'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { Hex } from '../../ports/chain/port.ts'
import { createJobCalls, type JobCalls } from '../jobs/testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../jobs/testing/start-jobs.ts'

/** What was never paid out counts for nothing, whatever was said about it in between. */

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent

beforeAll(async () => {
  world = await startJobs()
  calls = createJobCalls(world)
  seller = await world.newOwner()
  client = await world.newOwner()
})
afterAll(() => world.close())
afterEach(async () => {
  world.chaos.setWeather('fair')
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

const reputationOf = async ({ wallet }: TestAgent) =>
  (await calls.get(client, `/api/agents/${wallet}/reputation`)).json().data

const nothing = { ratingCount: 0, completedJobs: 0, settledVolume: '0' }

async function feedbackOrders(): Promise<number> {
  const { count } = await world.db.one<{ count: bigint }>(sql`
    select count(*) from intents join reviews on intents.key = 'reputation.feedback:' || reviews.id
    where reviews.agent_id = ${agent.id}`)
  return Number(count)
}

async function deliveredJob(): Promise<{ jobId: string; key: Hex }> {
  const jobId = await calls.hireAndFund(client, agent)
  await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
  await world.engine.runUntilIdle()
  const { key } = await world.db.one<{ key: Hex }>(
    sql`select escrow_key as key from jobs where id = ${jobId}`,
  )
  return { jobId, key }
}

const review = async (jobId: string) => (await calls.act(client, jobId, 'review', { rating: 5 })).json().data

test('an approval that the chain refuses, because the seller gave the money back before, buys no review', async () => {
  agent = await world.newAgent(seller)
  const { jobId, key } = await deliveredJob()
  await world.execute(seller.wallet, world.chain.escrow.refund({ key }))
  await calls.act(client, jobId, 'approve')
  expect((await review(jobId)).counted).toBe(false)
  expect(await reputationOf(agent)).toMatchObject(nothing)
  await world.engine.runUntilIdle()
  expect((await calls.jobOf(client, jobId)).status).toBe('CANCELLED')
  expect(await reputationOf(agent)).toMatchObject(nothing)
  expect(await feedbackOrders()).toBe(0)
})

test('a review that is given while the payout is pending counts once it has arrived', async () => {
  agent = await world.newAgent(seller)
  const { jobId } = await deliveredJob()
  await calls.act(client, jobId, 'approve')
  expect((await review(jobId)).counted).toBe(false)
  await world.engine.runUntilIdle()
  expect((await calls.jobOf(client, jobId)).review.counted).toBe(true)
  expect(await reputationOf(agent)).toMatchObject({ ratingCount: 1, completedJobs: 1 })
  expect(await feedbackOrders()).toBe(1)
})

test('a payout that a fork takes back takes its review along, until it is there again', async () => {
  agent = await world.newAgent(seller)
  const { jobId } = await deliveredJob()
  await calls.act(client, jobId, 'approve')
  await world.engine.runUntilIdle()
  expect((await review(jobId)).counted).toBe(true)
  world.chaos.setWeather('dropped')
  await world.chaos.reorganise(1, () => false)
  await world.engine.runOnce()
  expect(await reputationOf(agent)).toMatchObject(nothing)
  world.chaos.setWeather('fair')
  await world.engine.runUntilIdle()
  expect(await reputationOf(agent)).toMatchObject({ ratingCount: 1, completedJobs: 1 })
  expect(await feedbackOrders()).toBe(1)
})

test('an x402 payment that a fork takes back and that is never made again takes job and review along', async () => {
  agent = await world.newAgent(seller)
  const PRICE = 4_000_000n
  const payer = await world.newOwner()
  await world.give(payer.wallet.address, PRICE)
  const { jobId } = await calls.hire(client, agent, PRICE.toString())
  const header = await calls.x402Header(payer.wallet, await calls.act(client, jobId, 'pay'))
  await world.whileWorking(calls.send(client, `/api/jobs/${jobId}/pay`, undefined, header))
  await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
  expect((await review(jobId)).counted).toBe(true)
  world.chaos.setWeather('dropped')
  await world.chaos.reorganise(1, () => false)
  await world.engine.runOnce()
  expect(await reputationOf(agent)).toMatchObject(nothing)
  expect(await world.breaches()).toEqual([])

  world.chaos.setWeather('fair')
  const usdc = world.chain.facts.contracts.usdc as Hex
  const away = prepareTransfer({ usdc, to: client.wallet.address, amountMicro: PRICE })
  await world.execute(payer.wallet, away)
  await world.engine.runUntilIdle()
  expect((await calls.jobOf(client, jobId)).status).toBe('COMPLETED')
  expect(await reputationOf(agent)).toMatchObject(nothing)
})
