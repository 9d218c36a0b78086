import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import type { Hex } from '../../../ports/chain/port.ts'
import { findJob } from '../lifecycle/store.ts'
import type { JobCalls } from '../testing/job-calls.ts'
import { startDeal } from '../testing/start-deal.ts'
import { dueTicks, type TestAgent, type TestJobs, type TestOwner } from '../testing/start-jobs.ts'

/** The chain goes on while the books stand still: whatever falls due waits until they have read what came in time. */

const HOUR = 3600
const DAY = 24 * HOUR

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent

beforeAll(async () => {
  ;({ world, calls, client, seller, agent } = await startDeal({ settlementWaitMs: 0 }))
  for (const { wallet } of [seller, client]) await world.give(wallet.address, 1n)
})
afterAll(() => world.close())
afterEach(async () => {
  await catchUp()
  expect(await world.breaches()).toEqual([])
})

async function catchUp(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await world.engine.runUntilIdle()
    await world.db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)
  }
}

async function fundedJob(more: object = {}): Promise<{ jobId: string; key: Hex }> {
  await world.give(client.wallet.address, 150_000_000n)
  const { jobId, paymentInfo } = await calls.hire(client, agent, '150000000', more)
  await calls.act(client, jobId, 'pay', await calls.sign(client.wallet, paymentInfo.typedData))
  await world.engine.runUntilIdle()
  return { jobId, key: (await findJob(world.db, jobId))?.escrowKey as Hex }
}

async function deliveredJob(): Promise<{ jobId: string; key: Hex }> {
  const job = await fundedJob()
  await calls.act(seller, job.jobId, 'deliver', { content: 'Done.' })
  await world.engine.runUntilIdle()
  return job
}

const stateOf = async (jobId: string) => {
  const { status, escrowState } = await calls.jobOf(client, jobId)
  return [status, escrowState]
}

test('a review does not end while a request for changes that came in time is unread', async () => {
  const { jobId, key } = await deliveredJob()
  await world.advance(6 * DAY)
  await world.execute(client.wallet, world.chain.escrow.requestChanges({ key }))
  await world.advance(2 * DAY)
  await world.tick(...dueTicks)
  expect(await stateOf(jobId)).toEqual(['UNDER_REVIEW', 'SUBMITTED'])
  await catchUp()
  await world.tick(...dueTicks)
  await catchUp()
  expect(await stateOf(jobId)).toEqual(['IN_PROGRESS', 'FUNDED'])
})

test('a review does not end while a dispute that came in time is unread, and then it is a dispute', async () => {
  const { jobId, key } = await deliveredJob()
  await world.advance(6 * DAY)
  await world.execute(client.wallet, world.chain.escrow.openDispute({ key, onBehalfOf: 'client' }))
  await world.advance(2 * DAY)
  await world.tick(...dueTicks)
  await catchUp()
  await world.tick(...dueTicks)
  await catchUp()
  expect(await stateOf(jobId)).toEqual(['DISPUTED', 'DISPUTED'])
})

test('a job is not called off while its deposit is unread', async () => {
  await world.give(client.wallet.address, 150_000_000n)
  const { jobId, paymentInfo } = await calls.hire(client, agent, '150000000')
  const { authorization, signature } = await calls.sign(client.wallet, paymentInfo.typedData)
  const { checksumAddress, escrow } = world.chain
  const { validAfter, validBefore } = authorization as { validAfter: string; validBefore: string }
  const terms = {
    jobRef: escrow.refOf(jobId),
    client: client.wallet.address,
    seller: seller.wallet.address,
    agentWallet: checksumAddress(agent.wallet),
    amountMicro: 150_000_000n,
    deadline: 0,
  }
  const deposit = { terms, validAfter: BigInt(validAfter), validBefore: BigInt(validBefore), signature }
  await world.execute(seller.wallet, escrow.depositWithAuthorization(deposit))
  await world.advance(30 * DAY)
  await world.tick(...dueTicks)
  await catchUp()
  expect(await stateOf(jobId)).toEqual(['IN_PROGRESS', 'FUNDED'])
})

test('a claim of a missed deadline waits for a delivery that came in time, and opens no dispute about it', async () => {
  const { jobId, key } = await fundedJob({ deadlineHours: 24 })
  await world.advance(HOUR)
  await world.execute(seller.wallet, world.chain.escrow.submit({ key, deliveryHash: `0x${'01'.repeat(32)}` }))
  await world.advance(2 * DAY + HOUR)
  const response = await calls.act(client, jobId, 'cancel', { reason: 'Nothing came.' })
  expect([response.statusCode, response.json().data.status]).toEqual([202, 'IN_PROGRESS'])
  await catchUp()
  expect(await calls.jobOf(client, jobId)).toMatchObject({
    status: 'UNDER_REVIEW',
    escrowState: 'SUBMITTED',
    dispute: null,
  })
})
