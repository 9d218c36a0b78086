import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { App } from '../../../app.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createJobCalls, type JobCalls } from '../testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../testing/start-jobs.ts'

/** Refunds of payments that a fork can still take back. */
const PRICE = 5_000_000n
const OTHER_FUNDS = 50_000_000n
/** Longer than any payment can be carried out. */
const LONG = 24 * 3600

let world: TestJobs
let calls: JobCalls
let hasty: App
let client: TestOwner
let seller: TestOwner
let agent: TestAgent

beforeAll(async () => {
  world = await startJobs()
  hasty = await world.startBeside({ settlementWaitMs: 0 })
  calls = createJobCalls(world)
  seller = await world.newOwner()
})
afterAll(() => world.close())
afterEach(async () => {
  await becomeSafe()
  expect(await world.breaches()).toEqual([])
})

const balanceOf = (address: string) => world.chain.usdc.balanceOf(address)

/** The engine goes round, and comes back to what it put off. */
async function goOn(): Promise<void> {
  await world.engine.runUntilIdle()
  await world.db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)
  await world.engine.runUntilIdle()
}

/** From now on every block is safe. */
async function becomeSafe(): Promise<void> {
  world.chaos.setFinalityLag(0)
  await world.advance(1)
  await goOn()
}

/** A job that was paid in one of the last blocks, and whose refund was ordered. Returns how deep the payment is. */
async function refundOrdered(): Promise<{ jobId: string; depth: () => number }> {
  client = await world.newOwner()
  agent = await world.newAgent(seller)
  await world.give(agent.wallet, OTHER_FUNDS)
  await world.give(client.wallet.address, PRICE)
  await world.engine.runUntilIdle()
  world.chaos.setFinalityLag(20)
  const before = world.chaos.depth()
  const { jobId } = await calls.hire(client, agent, PRICE.toString())
  const header = await calls.x402Header(client.wallet, await calls.act(client, jobId, 'pay'))
  const paid = await world.whileWorking(calls.send(client, `/api/jobs/${jobId}/pay`, undefined, header))
  expect(paid.statusCode).toBe(200)
  const refund = await hasty.http.inject({
    method: 'POST',
    url: `/api/jobs/${jobId}/refund`,
    headers: seller.headers,
    payload: {},
  })
  expect(refund.statusCode).toBe(202)
  await world.engine.runUntilIdle()
  return { jobId, depth: () => world.chaos.depth() - before }
}

test('a refund waits until no fork is expected to take its payment back, and then goes out by itself', async () => {
  const { jobId } = await refundOrdered()
  expect(await calls.jobOf(client, jobId)).toMatchObject({ refund: { status: 'PENDING', txHash: null } })
  expect(await balanceOf(agent.wallet)).toBe(OTHER_FUNDS + PRICE)
  await becomeSafe()
  expect(await calls.jobOf(client, jobId)).toMatchObject({
    status: 'CANCELLED',
    refund: { status: 'CONFIRMED' },
  })
  expect([await balanceOf(agent.wallet), await balanceOf(client.wallet.address)]).toEqual([
    OTHER_FUNDS,
    PRICE,
  ])
})

test('a payment that a fork takes back for good is not refunded from other funds of the agent', async () => {
  const { jobId, depth } = await refundOrdered()
  await world.chaos.reorganise(depth(), () => false)
  // On the new chain the money goes elsewhere before the payment is sent again.
  const elsewhere = await world.newOwner()
  const transfer = world.chain.usdc.transfer({ to: elsewhere.wallet.address, amountMicro: PRICE })
  await world.execute(client.wallet, transfer)
  await goOn()
  expect(await calls.jobOf(client, jobId)).toMatchObject({ refund: { status: 'PENDING', txHash: null } })
  await world.advance(LONG)
  await becomeSafe()
  await world.tick('x402-look-ups')
  await goOn()
  expect(await balanceOf(agent.wallet)).toBe(OTHER_FUNDS)
  expect(await balanceOf(client.wallet.address)).toBe(0n)
  const job = await calls.jobOf(seller, jobId)
  expect(job).toMatchObject({ status: 'PENDING', refund: null })
  expect(job.timeline.at(-1)).toMatchObject({
    type: 'REFUND_FAILED',
    message: expect.stringContaining('The payment is no longer on the chain'),
  })
})

test('a payment that comes back after the fork is refunded once', async () => {
  const { jobId, depth } = await refundOrdered()
  await world.chaos.reorganise(depth(), () => false)
  await goOn()
  expect(await balanceOf(agent.wallet)).toBe(OTHER_FUNDS + PRICE)
  await becomeSafe()
  expect(await calls.jobOf(client, jobId)).toMatchObject({
    status: 'CANCELLED',
    refund: { status: 'CONFIRMED' },
  })
  expect([await balanceOf(agent.wallet), await balanceOf(client.wallet.address)]).toEqual([
    OTHER_FUNDS,
    PRICE,
  ])
})
