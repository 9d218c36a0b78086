import { prepareApprove, prepareDeposit, prepareDisableOperator } from '@agent-marketplace/chain'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import type { Hex } from '../../../ports/chain/port.ts'
import { termsOf } from '../lifecycle/escrow-terms.ts'
import { findJob } from '../lifecycle/store.ts'
import type { JobCalls } from '../testing/job-calls.ts'
import { startDeal } from '../testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from '../testing/start-jobs.ts'

/** What happens on the chain without the service: parties with their own wallets, passers-by, refusals, forks. */

const DAY = 24 * 3600
let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent

beforeAll(async () => {
  ;({ world, calls, client, seller, agent } = await startDeal())
  for (const { wallet } of [seller, client]) await world.give(wallet.address, 1n)
})
afterAll(() => world.close())
afterEach(async () => {
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

async function rowOf(jobId: string) {
  const row = await findJob(world.db, jobId)
  if (!row?.escrowKey) throw new Error(`no escrow job ${jobId}`)
  return { ...row, key: row.escrowKey as Hex }
}

const stateOf = async (jobId: string) => {
  const { status, escrowState } = await calls.jobOf(client, jobId)
  return [status, escrowState]
}

async function depositBy(owner: TestOwner, jobId: string): Promise<Hex> {
  const row = await rowOf(jobId)
  const { escrow, usdc } = world.chain.facts.contracts
  const contracts = { escrow: escrow as Hex, usdc: usdc as Hex }
  await world.give(owner.wallet.address, row.priceMicro)
  await world.execute(
    owner.wallet,
    prepareApprove({ usdc: contracts.usdc, spender: contracts.escrow, amountMicro: row.priceMicro }),
  )
  const terms = termsOf(row, world.chain)
  return world.execute(owner.wallet, prepareDeposit({ escrow: contracts.escrow, terms }))
}

test('a client deposits by itself and names the transaction', async () => {
  const { jobId } = await calls.hire(client, agent, '120000000')
  const { jobId: otherId } = await calls.hire(client, agent, '120000000')
  const txHash = await depositBy(client, jobId)
  const wrong = await calls.act(client, otherId, 'pay', { txHash })
  expect([wrong.statusCode, wrong.json().error.details.issues[0].path]).toEqual([400, '/txHash'])
  const unknown = await calls.act(client, jobId, 'pay', { txHash: `0x${'ab'.repeat(32)}` })
  expect(unknown.statusCode).toBe(400)
  const paid = await calls.act(client, jobId, 'pay', { txHash })
  expect([paid.statusCode, paid.json().data.status]).toEqual([200, 'IN_PROGRESS'])
  const again = await calls.act(client, jobId, 'pay', { txHash })
  expect(again.statusCode).toBe(200)
})

test('a deposit that nobody reported is still seen', async () => {
  const { jobId } = await calls.hire(client, agent, '120000000')
  await depositBy(client, jobId)
  await world.engine.runUntilIdle()
  expect(await stateOf(jobId)).toEqual(['IN_PROGRESS', 'FUNDED'])
})

test('a deposit for a job that was cancelled meanwhile goes straight back and counts for nothing', async () => {
  const before = await world.agentRow(agent.wallet)
  const { jobId } = await calls.hire(client, agent, '120000000')
  expect((await calls.act(client, jobId, 'cancel')).statusCode).toBe(200)
  const balance = await world.chain.usdc.balanceOf(client.wallet.address)
  await depositBy(client, jobId)
  await world.engine.runUntilIdle()
  expect(await stateOf(jobId)).toEqual(['CANCELLED', 'REFUNDED'])
  expect(await world.chain.usdc.balanceOf(client.wallet.address)).toBe(balance + 120_000_000n)
  expect((await world.agentRow(agent.wallet)).cancelledJobs).toBe(before.cancelledJobs)
})

test('a deposit for an order that the seller has not accepted goes straight back and counts for nothing', async () => {
  const asked = await world.newAgent(seller, { customOrders: 'ON_REQUEST' })
  const { jobId } = await calls.hire(client, asked, '120000000')
  const balance = await world.chain.usdc.balanceOf(client.wallet.address)
  const txHash = await depositBy(client, jobId)
  await world.engine.runUntilIdle()
  expect(await stateOf(jobId)).toEqual(['CANCELLED', 'REFUNDED'])
  expect(await world.chain.usdc.balanceOf(client.wallet.address)).toBe(balance + 120_000_000n)
  expect((await calls.act(client, jobId, 'pay', { txHash })).statusCode).toBe(409)
  expect((await calls.act(seller, jobId, 'accept')).statusCode).toBe(409)
  expect(await world.agentRow(asked.wallet)).toMatchObject({ totalJobs: 0, cancelledJobs: 0 })
  const told = await world.notificationsOf(client.ownerId)
  expect(told.filter(({ message }) => message.includes('before the seller accepted'))).toMatchObject([
    { type: 'JOB_CANCELLED' },
  ])
})

test('the parties do everything from their own wallets, and the status follows', async () => {
  const { escrow } = world.chain
  const jobId = await calls.hireAndFund(client, agent)
  const { key } = await rowOf(jobId)
  const follow = async (from: TestOwner, call: Parameters<typeof world.execute>[1]) => {
    await world.execute(from.wallet, call)
    await world.engine.runUntilIdle()
    return stateOf(jobId)
  }
  const deliveryHash = `0x${'d1'.repeat(32)}` as const
  expect(await follow(seller, escrow.submit({ key, deliveryHash }))).toEqual(['UNDER_REVIEW', 'SUBMITTED'])
  expect(await follow(client, escrow.requestChanges({ key }))).toEqual(['IN_PROGRESS', 'FUNDED'])
  expect((await calls.jobOf(client, jobId)).changeRequestsLeft).toBe(1)
  expect(await follow(client, escrow.openDispute({ key, onBehalfOf: 'client' }))).toEqual([
    'DISPUTED',
    'DISPUTED',
  ])
  await follow(seller, escrow.proposeSettlement({ key, onBehalfOf: 'seller', sellerBps: 7500 }))
  expect((await calls.jobOf(client, jobId)).dispute).toMatchObject({
    openedBy: 'CLIENT',
    settlement: { proposedBy: 'SELLER', sellerBps: 7500 },
  })
  // An offer made on chain can be accepted through the service.
  expect((await calls.act(client, jobId, 'dispute/settlement/accept')).statusCode).toBe(200)
  await world.engine.runUntilIdle()
  expect(await stateOf(jobId)).toEqual(['COMPLETED', 'SETTLED'])
})

test('anybody may release after the review window', async () => {
  const jobId = await calls.hireAndFund(client, agent)
  await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
  await world.engine.runUntilIdle()
  await world.advance(8 * DAY)
  const passerBy = await world.newOwner()
  await world.give(passerBy.wallet.address, 1n)
  await world.execute(passerBy.wallet, world.chain.escrow.release(await rowOf(jobId)))
  await world.engine.runUntilIdle()
  expect(await stateOf(jobId)).toEqual(['COMPLETED', 'RELEASED'])
})

test('a decision that the chain refuses is taken back, and both sides hear why', async () => {
  const jobId = await calls.hireAndFund(client, agent)
  await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
  await world.engine.runUntilIdle()
  // The seller refunds on chain before the client's approval gets there.
  await world.execute(seller.wallet, world.chain.escrow.refund(await rowOf(jobId)))
  expect((await calls.act(client, jobId, 'approve')).json().data.status).toBe('COMPLETED')
  await world.engine.runUntilIdle()
  expect(await stateOf(jobId)).toEqual(['CANCELLED', 'REFUNDED'])
  const { timeline } = await calls.jobOf(client, jobId)
  expect(timeline.map((event: { type: string }) => event.type)).toContain('ESCROW_REFUSED')
})

test('a side that switched the operator off acts alone; the other goes on with the service', async () => {
  const jobId = await calls.hireAndFund(client, agent)
  const { key } = await rowOf(jobId)
  const escrow = world.chain.facts.contracts.escrow as Hex
  await world.execute(client.wallet, prepareDisableOperator({ escrow, key }))
  await world.engine.runUntilIdle()
  expect((await calls.act(seller, jobId, 'deliver', { content: 'Done.' })).statusCode).toBe(200)
  await world.engine.runUntilIdle()
  const refused = await calls.act(client, jobId, 'approve')
  expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'INVALID_STATE'])
  await world.execute(client.wallet, world.chain.escrow.release({ key }))
  await world.engine.runUntilIdle()
  expect(await stateOf(jobId)).toEqual(['COMPLETED', 'RELEASED'])
})

test('a fork takes back what a party did by itself', async () => {
  const jobId = await calls.hireAndFund(client, agent)
  const { key } = await rowOf(jobId)
  await world.execute(seller.wallet, world.chain.escrow.submit({ key, deliveryHash: `0x${'d1'.repeat(32)}` }))
  await world.engine.runUntilIdle()
  expect(await stateOf(jobId)).toEqual(['UNDER_REVIEW', 'SUBMITTED'])
  await world.chaos.reorganise(1, () => false)
  await world.engine.runUntilIdle()
  expect(await stateOf(jobId)).toEqual(['IN_PROGRESS', 'FUNDED'])
  const { timeline, reviewEndsAt } = await calls.jobOf(client, jobId)
  expect(timeline.map((event: { type: string }) => event.type)).not.toContain('ESCROW_SUBMITTED')
  expect(reviewEndsAt).toBeNull()
})

test('a fork takes back our own steps; they are sent again and count once', async () => {
  const before = await world.agentRow(agent.wallet)
  const jobId = await calls.hireAndFund(client, agent, '130000000')
  await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
  await calls.act(client, jobId, 'approve')
  await world.engine.runUntilIdle()
  expect(await stateOf(jobId)).toEqual(['COMPLETED', 'RELEASED'])
  // Deposit, delivery and release are all gone.
  await world.chaos.reorganise(3, () => false)
  await world.engine.runOnce()
  await world.engine.runUntilIdle()
  expect(await stateOf(jobId)).toEqual(['COMPLETED', 'RELEASED'])
  const after = await world.agentRow(agent.wallet)
  expect(after.completedJobs - before.completedJobs).toBe(1)
  expect(after.totalEarnedMicro - before.totalEarnedMicro).toBe(127_400_000n)
  const { timeline } = await calls.jobOf(client, jobId)
  expect(timeline.filter((event: { type: string }) => event.type === 'ESCROW_RELEASED')).toHaveLength(1)
  expect(await world.db.rows(sql`select 1 from jobs where cardinality(open_intents) > 0`)).toEqual([])
})

test('while a fork is being repaired, the status is the decision and the escrow what the chain says', async () => {
  const jobId = await calls.hireAndFund(client, agent)
  world.chaos.setWeather('dropped')
  await world.chaos.reorganise(1, () => false)
  await world.engine.runOnce()
  expect(await stateOf(jobId)).toEqual(['PENDING', 'UNFUNDED'])
  world.chaos.setWeather('fair')
  await world.engine.runUntilIdle()
  expect(await stateOf(jobId)).toEqual(['IN_PROGRESS', 'FUNDED'])
})
