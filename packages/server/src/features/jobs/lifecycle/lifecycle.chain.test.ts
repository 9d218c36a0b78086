import { buildSafeTransaction, getSafeState, prepareSafeExecution } from '@agent-marketplace/chain'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import type { JobCalls } from '../testing/job-calls.ts'
import { startDeal } from '../testing/start-deal.ts'
import { OWNER_GAS, type TestAgent, type TestJobs, type TestOwner } from '../testing/start-jobs.ts'

/** The life of escrow jobs through the service, with the chain following; the books are checked after each. */

const DAY = 24 * 3600
let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent

beforeAll(async () => {
  ;({ world, calls, client, seller, agent } = await startDeal())
})
afterAll(() => world.close())

afterEach(async () => {
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

const balanceOf = (wallet: string) => world.chain.usdc.balanceOf(wallet)
const typesOf = (job: { timeline: { type: string }[] }) => job.timeline.map(({ type }) => type)

async function deliver(jobId: string): Promise<void> {
  const response = await calls.act(seller, jobId, 'deliver', { content: 'Done.', note: 'A day early.' })
  expect(response.statusCode, response.body).toBe(200)
  await world.engine.runUntilIdle()
}

test('goes from hire to payout, and the amounts add up to the micro-unit', async () => {
  const { treasury } = world.chain.facts.contracts
  const treasuryBefore = await balanceOf(treasury)
  const jobId = await calls.hireAndFund(client, agent, '150000001')
  expect(await calls.jobOf(seller, jobId)).toMatchObject({
    status: 'IN_PROGRESS',
    escrowState: 'FUNDED',
    paymentInfo: null,
    nextAction: { actor: 'SELLER', action: 'DELIVER' },
  })

  const delivered = await calls.act(seller, jobId, 'deliver', { content: 'Done.', note: 'A day early.' })
  expect(delivered.json().data).toMatchObject({ status: 'UNDER_REVIEW', escrowState: 'FUNDED' })
  await world.engine.runUntilIdle()
  const reviewed = await calls.jobOf(client, jobId)
  expect(reviewed).toMatchObject({
    status: 'UNDER_REVIEW',
    escrowState: 'SUBMITTED',
    delivery: { content: 'Done.', note: 'A day early.', cid: reviewed.deliveryCid },
  })

  const approved = await calls.act(client, jobId, 'approve')
  expect(approved.json().data).toMatchObject({ status: 'COMPLETED', escrowState: 'SUBMITTED' })
  await world.engine.runUntilIdle()
  const job = await calls.jobOf(client, jobId)
  expect(job).toMatchObject({ status: 'COMPLETED', escrowState: 'RELEASED', nextAction: null })
  expect(typesOf(job)).toEqual([
    'JOB_CREATED',
    'JOB_FUNDED',
    'JOB_DELIVERED',
    'ESCROW_SUBMITTED',
    'JOB_APPROVED',
    'ESCROW_RELEASED',
  ])
  expect(job.timeline.at(-1).txHash).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await balanceOf(agent.wallet)).toBe(147_000_001n)
  expect((await balanceOf(treasury)) - treasuryBefore).toBe(3_000_000n)
  expect(await balanceOf(client.wallet.address)).toBe(0n)
  expect(await world.agentRow(agent.wallet)).toMatchObject({
    completedJobs: 1,
    totalEarnedMicro: 147_000_001n,
    settledVolumeMicro: 150_000_001n,
  })
})

test('pays by itself when the review window ends, not a second earlier', async () => {
  const jobId = await calls.hireAndFund(client, agent)
  await deliver(jobId)
  const { reviewEndsAt } = await calls.jobOf(client, jobId)
  await world.advance((Date.parse(reviewEndsAt) - world.clock.now().getTime()) / 1000 - 1)
  await world.runTicks()
  expect((await calls.jobOf(client, jobId)).status).toBe('UNDER_REVIEW')
  await world.advance(1)
  for (const verb of ['request-changes', 'dispute']) {
    expect((await calls.act(client, jobId, verb, { reason: 'Late.' })).statusCode).toBe(409)
  }
  await world.runTicks()
  await world.runTicks()
  await world.engine.runUntilIdle()
  const job = await calls.jobOf(client, jobId)
  expect(job).toMatchObject({ status: 'COMPLETED', escrowState: 'RELEASED' })
  expect(typesOf(job).filter((type) => type === 'REVIEW_ENDED')).toHaveLength(1)
})

test('changes can be requested twice, and a near deadline moves with them', async () => {
  const jobId = await calls.hireAndFund(client, agent, '150000000', { deadlineHours: 48 })
  for (const left of [1, 0]) {
    await deliver(jobId)
    const response = await calls.act(client, jobId, 'request-changes', { reason: 'More.' })
    expect(response.json().data.job).toMatchObject({ status: 'IN_PROGRESS', changeRequestsLeft: left })
    await world.engine.runUntilIdle()
  }
  const job = await calls.jobOf(client, jobId)
  expect(job).toMatchObject({ escrowState: 'FUNDED', changeRequestsLeft: 0 })
  expect(Date.parse(job.deadlineAt) - world.clock.now().getTime()).toBeGreaterThan(6.9 * DAY * 1000)
  await deliver(jobId)
  const third = await calls.act(client, jobId, 'request-changes', { reason: 'Again.' })
  expect([third.statusCode, third.json().error.code]).toEqual([409, 'INVALID_STATE'])
  await calls.act(client, jobId, 'approve')
})

test('a missed deadline is announced once; the client gets everything back from 24 hours after it', async () => {
  const jobId = await calls.hireAndFund(client, agent, '150000000', { deadlineHours: 1 })
  const before = await balanceOf(client.wallet.address)
  await world.advance(3700)
  await world.runTicks()
  await world.runTicks()
  expect(typesOf(await calls.jobOf(client, jobId)).filter((type) => type === 'DEADLINE_MISSED')).toHaveLength(
    1,
  )
  expect((await calls.act(client, jobId, 'cancel')).statusCode).toBe(409)
  await world.advance(DAY)
  const cancelled = await world.whileWorking(calls.act(client, jobId, 'cancel', { reason: 'Nothing came.' }))
  expect(cancelled.json().data).toMatchObject({ status: 'CANCELLED', escrowState: 'EXPIRED' })
  await world.engine.runUntilIdle()
  expect(await calls.jobOf(client, jobId)).toMatchObject({ status: 'CANCELLED', escrowState: 'EXPIRED' })
  expect((await balanceOf(client.wallet.address)) - before).toBe(150_000_000n)
})

test('an owner who hires their own agent can complete the job, is notified once, and it counts for nothing', async () => {
  const own = await world.newAgent(seller)
  const jobId = await calls.hireAndFund(seller, own)
  await deliver(jobId)
  await calls.act(seller, jobId, 'approve')
  await world.engine.runUntilIdle()
  expect(await calls.jobOf(seller, jobId)).toMatchObject({ status: 'COMPLETED', escrowState: 'RELEASED' })
  expect(await world.agentRow(own.wallet)).toMatchObject({ completedJobs: 0, settledVolumeMicro: 0n })
  const told = await world.db.rows<{ type: string }>(
    sql`select type from notifications where link = ${`/jobs/${jobId}`} order by seq`,
  )
  expect(told.map(({ type }) => type)).toEqual([
    'JOB_CREATED',
    'JOB_FUNDED',
    'JOB_DELIVERED',
    'JOB_COMPLETED',
    'PAYMENT_RECEIVED',
  ])
})

test('the seller gives the money back at any time before completion', async () => {
  const before = await world.agentRow(agent.wallet)
  const jobId = await calls.hireAndFund(client, agent)
  await deliver(jobId)
  expect((await calls.act(seller, jobId, 'refund', { reason: 'Wrong file.' })).statusCode).toBe(200)
  await world.engine.runUntilIdle()
  expect(await calls.jobOf(client, jobId)).toMatchObject({ status: 'CANCELLED', escrowState: 'REFUNDED' })
  const after = await world.agentRow(agent.wallet)
  expect(after.cancelledJobs - before.cancelledJobs).toBe(1)
  expect(after.completedJobs).toBe(before.completedJobs)
})

test('a job that nobody pays for is cancelled after a day', async () => {
  const { jobId } = await calls.hire(client, agent, '150000000')
  const { paymentInfo } = await calls.jobOf(client, jobId)
  await world.advance(DAY)
  const late = await calls.act(client, jobId, 'pay', await calls.sign(client.wallet, paymentInfo.typedData))
  expect([late.statusCode, late.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
  await world.runTicks()
  expect(await calls.jobOf(client, jobId)).toMatchObject({ status: 'CANCELLED', escrowState: 'UNFUNDED' })
})

test('a dispute ends by a settlement: the other side accepts the standing offer', async () => {
  const jobId = await calls.hireAndFund(client, agent, '100000003')
  const before = await balanceOf(client.wallet.address)
  const agentBefore = await balanceOf(agent.wallet)
  const opened = await calls.act(client, jobId, 'dispute', {
    reason: 'Half of it is missing.',
    evidence: ['ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'],
  })
  expect(opened.json().data.job).toMatchObject({
    status: 'DISPUTED',
    dispute: { openedBy: 'CLIENT', evidence: [{ by: 'CLIENT' }], settlement: null, sellerBps: null },
  })
  await calls.act(seller, jobId, 'dispute/evidence', { reason: 'It was all there.' })
  await calls.act(client, jobId, 'dispute/settlement', { sellerBps: 1000 })
  await calls.act(seller, jobId, 'dispute/settlement', { sellerBps: 5000 })
  await world.engine.runUntilIdle()
  expect((await calls.act(seller, jobId, 'dispute/settlement/accept')).statusCode).toBe(409)
  const accepted = await calls.act(client, jobId, 'dispute/settlement/accept')
  expect(accepted.json().data).toMatchObject({ status: 'COMPLETED', escrowState: 'DISPUTED' })
  await world.engine.runUntilIdle()
  expect(await calls.jobOf(client, jobId)).toMatchObject({
    status: 'COMPLETED',
    escrowState: 'SETTLED',
    dispute: { sellerBps: 5000, settlement: { proposedBy: 'SELLER', sellerBps: 5000 } },
  })
  // Half of 100,000,003 rounded down is the seller's, less 2%; the client gets the rest.
  expect((await balanceOf(agent.wallet)) - agentBefore).toBe(49_000_001n)
  expect((await balanceOf(client.wallet.address)) - before).toBe(50_000_002n)
})

test('offers without end are not at the cost of the service', async () => {
  const jobId = await calls.hireAndFund(client, agent)
  await calls.act(client, jobId, 'dispute', { reason: 'Nothing came.' })
  const offer = () => calls.act(client, jobId, 'dispute/settlement', { sellerBps: 10 })
  expect((await offer()).statusCode).toBe(200)
  const account = `owner:${client.ownerId}`
  const spend = (gas: bigint) =>
    world.db.run(sql`update gas_budget set gas = gas + ${gas}::bigint where account = ${account}`)
  await spend(OWNER_GAS)
  const refused = await offer()
  expect([refused.statusCode, refused.json().error.details]).toMatchObject([429, { budget: 'owner' }])
  // What ends the dispute is paid for with the deposit.
  await calls.act(seller, jobId, 'dispute/settlement', { sellerBps: 5000 })
  expect((await calls.act(client, jobId, 'dispute/settlement/accept')).statusCode).toBe(200)
  await spend(-OWNER_GAS)
})

test('a settlement of nothing for the seller cancels the job', async () => {
  const jobId = await calls.hireAndFund(client, agent)
  await calls.act(seller, jobId, 'dispute', { reason: 'I cannot do this.' })
  await calls.act(seller, jobId, 'dispute/settlement', { sellerBps: 0 })
  expect((await calls.act(client, jobId, 'dispute/settlement/accept')).json().data.status).toBe('CANCELLED')
  await world.engine.runUntilIdle()
  expect(await calls.jobOf(client, jobId)).toMatchObject({ status: 'CANCELLED', escrowState: 'SETTLED' })
})

test('the multisig rules, executed on chain by the Safe', async () => {
  const jobId = await calls.hireAndFund(client, agent, '200000000')
  await calls.act(client, jobId, 'dispute', { reason: 'Not what I asked for.' })
  await world.engine.runUntilIdle()
  const { escrowKey: key } = await world.db.one<{ escrowKey: `0x${string}` }>(
    sql`select escrow_key from jobs where id = ${jobId}`,
  )
  const { roles, client: rpc } = world.chaos
  const safe = world.chain.checksumAddress(world.chain.facts.contracts.arbiter)
  const { nonce } = await getSafeState(rpc, { safe })
  const call = world.chain.escrow.rule({ key, sellerBps: 2500 })
  const transaction = buildSafeTransaction({ chainId: world.chain.facts.chainId, safe, call, nonce })
  const signatures = await Promise.all(
    [roles.safeOwner1, roles.safeOwner3].map(async (owner) => ({
      owner: owner.address,
      signature: await owner.signTypedData(transaction),
    })),
  )
  await world.give(roles.safeOwner2.address, 1n)
  await world.execute(roles.safeOwner2, prepareSafeExecution({ transaction, signatures }))
  await world.engine.runUntilIdle()
  const job = await calls.jobOf(seller, jobId)
  expect(job).toMatchObject({ status: 'COMPLETED', escrowState: 'RULED', dispute: { sellerBps: 2500 } })
  expect(job.timeline.at(-1)).toMatchObject({ type: 'ESCROW_RULED', actor: 'ARBITER' })
})

test('a dispute that nobody decides refunds the client after 30 days', async () => {
  const jobId = await calls.hireAndFund(client, agent)
  await calls.act(client, jobId, 'dispute', { reason: 'Silence.' })
  await world.engine.runUntilIdle()
  await world.advance(30 * DAY - 10)
  await world.runTicks()
  expect((await calls.jobOf(client, jobId)).status).toBe('DISPUTED')
  await world.advance(20)
  expect((await calls.act(client, jobId, 'dispute/settlement', { sellerBps: 1 })).statusCode).toBe(409)
  await world.runTicks()
  await world.engine.runUntilIdle()
  expect(await calls.jobOf(client, jobId)).toMatchObject({ status: 'CANCELLED', escrowState: 'EXPIRED' })
})

test.each([
  ['a release', 'RELEASED', (jobId: string) => calls.act(client, jobId, 'approve')],
  [
    'an accepted settlement',
    'SETTLED',
    async (jobId: string) => {
      await calls.act(client, jobId, 'dispute', { reason: 'Half of it is missing.' })
      await world.engine.runUntilIdle()
      await calls.act(client, jobId, 'dispute/settlement', { sellerBps: 9_000 })
      await world.engine.runUntilIdle()
      return calls.act(seller, jobId, 'dispute/settlement/accept')
    },
  ],
] as const)('%s of more than 5,000 USDC waits until its deposit is final', async (_what, paidOut, pay) => {
  world.chaos.setFinalityLag(30)
  const jobId = await calls.hireAndFund(client, agent, '6000000000')
  await deliver(jobId)
  const before = await balanceOf(agent.wallet)
  expect((await pay(jobId)).statusCode).toBe(200)
  await world.engine.runUntilIdle()
  expect((await calls.jobOf(client, jobId)).escrowState).not.toBe(paidOut)
  expect(await balanceOf(agent.wallet)).toBe(before)

  for (let count = 0; count < 61; count += 1) await world.advance(1)
  await world.engine.runUntilIdle()
  expect((await calls.jobOf(client, jobId)).escrowState).toBe(paidOut)
  expect(await balanceOf(agent.wallet)).toBeGreaterThan(before)
  world.chaos.setFinalityLag(0)
})
