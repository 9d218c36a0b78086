import { prepareTransfer } from '@agent-marketplace/chain'
import type { ExplainedReputation } from '@agent-marketplace/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { Hex } from '../../ports/chain/port.ts'
import { newWallet } from '../../testing/sign-in.ts'
import { createJobCalls, type JobCalls } from '../jobs/testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../jobs/testing/start-jobs.ts'
import { PUBLIC_FROM_SELLERS } from './graph/connections.ts'

/** Reputation that somebody tries to buy, through the routes and on the EVM. */

let world: TestJobs
let calls: JobCalls
let seller: TestOwner
let client: TestOwner
let agent: TestAgent

beforeAll(async () => {
  world = await startJobs()
  calls = createJobCalls(world)
})
afterAll(() => world.close())
afterEach(async () => {
  world.chaos.setWeather('fair')
  await updateScores()
  expect(await world.breaches()).toEqual([])
})

async function meet(): Promise<void> {
  seller = await world.newOwner()
  client = await world.newOwner()
  agent = await world.newAgent(seller)
}

/** The chain is read, and what is due is scored. */
async function updateScores(): Promise<void> {
  await world.engine.runUntilIdle()
  await world.tick('scores')
}

async function escrowJob(buyer: TestOwner, price: string, rating = 5): Promise<string> {
  const jobId = await calls.hireAndFund(buyer, agent, price)
  await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
  await calls.act(buyer, jobId, 'approve')
  await world.engine.runUntilIdle()
  await calls.act(buyer, jobId, 'review', { rating })
  return jobId
}

async function paidX402Job(buyer: TestOwner, price: string, hired = agent): Promise<string> {
  await world.give(buyer.wallet.address, BigInt(price))
  const { jobId } = await calls.hire(buyer, hired, price)
  const header = await calls.x402Header(buyer.wallet, await calls.act(buyer, jobId, 'pay'))
  await world.whileWorking(calls.send(buyer, `/api/jobs/${jobId}/pay`, undefined, header))
  return jobId
}

async function x402Job(buyer: TestOwner, price: string): Promise<string> {
  const jobId = await paidX402Job(buyer, price)
  await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
  await calls.act(buyer, jobId, 'review', { rating: 5 })
  return jobId
}

async function transfer(from: Pick<TestOwner, 'wallet'>, to: string, amountMicro: bigint): Promise<void> {
  await world.give(from.wallet.address, amountMicro)
  const usdc = world.chain.facts.contracts.usdc as Hex
  await world.execute(from.wallet, prepareTransfer({ usdc, to: to as Hex, amountMicro }))
}

const reputationOf = async ({ wallet }: TestAgent): Promise<ExplainedReputation> =>
  (await calls.get(client, `/api/agents/${wallet}/reputation`)).json().data

const reasonsOf = async () => (await reputationOf(agent)).arithmetic.notCounted
const nothing = { score: 1, averageRating: 0, ratingCount: 0, completedJobs: 0, settledVolume: '0' }

test('self-hires of a micro-unit bring nothing, and the platform writes nothing to the chain', async () => {
  await meet()
  for (let job = 0; job < 3; job += 1) await x402Job(client, '1')
  await updateScores()
  expect(await reputationOf(agent)).toMatchObject(nothing)
  expect(await reasonsOf()).toEqual({ BELOW_MINIMUM: 3 })
  const { totalJobs, totalEarnedMicro } = await world.agentRow(agent.wallet)
  expect([totalJobs, totalEarnedMicro]).toEqual([0, 0n])
  const written = await world.db.rows(sql`
    select 1 from intents join reviews on intents.key = 'reputation.feedback:' || reviews.id
    where reviews.agent_id = ${agent.id}`)
  expect(written).toEqual([])
})

test('money in a circle brings neither earnings nor a score, also when it comes back afterwards', async () => {
  await meet()
  await escrowJob(client, '1000000000')
  const before = await reputationOf(agent)
  expect(before).toMatchObject({ ratingCount: 1, completedJobs: 1 })
  expect(before.score).toBeGreaterThan(1)
  expect((await world.agentRow(agent.wallet)).totalEarnedMicro).toBe(980_000_000n)

  const stranger = await world.newOwner()
  await transfer(seller, stranger.wallet.address, 980_000_000n)
  await transfer(stranger, client.wallet.address, 980_000_000n)
  await updateScores()
  expect(await reputationOf(agent)).toMatchObject(nothing)
  expect(await reasonsOf()).toEqual({ SELLER_FUNDED_BUYER: 1 })
  expect((await world.agentRow(agent.wallet)).totalEarnedMicro).toBe(0n)

  await escrowJob(client, '1000000000')
  await updateScores()
  expect(await reputationOf(agent)).toMatchObject(nothing)
  expect((await world.agentRow(agent.wallet)).totalEarnedMicro).toBe(0n)
})

test('payments beside all jobs that come back are no earnings either', async () => {
  await meet()
  await world.db.run(sql`
    insert into x402_transactions (id, owner_id, agent_id, payee_owner_id, chain_id, tx_id, tx_key, payer_wallet,
      payee_wallet, amount_micro, verification, counted, created_at)
    values (${`log-${agent.id}`}, ${client.ownerId}, ${agent.id}, ${seller.ownerId}, 1, ${agent.id}, ${agent.id},
      ${client.wallet.address}, ${agent.wallet}, 1000000000, 'PENDING', false, ${world.clock.now()})`)
  await world.db.run(sql`
    update x402_transactions set verification = 'VERIFIED', counted = true where agent_id = ${agent.id}`)
  await world.db.run(sql`
    update agents set verified_x402_payments = 1, total_earned_micro = 1000000000 where id = ${agent.id}`)
  await updateScores()
  expect((await world.agentRow(agent.wallet)).totalEarnedMicro).toBe(1_000_000_000n)
  await transfer(seller, client.wallet.address, 900_000_000n)
  await updateScores()
  const { totalEarnedMicro, verifiedX402Payments } = await world.agentRow(agent.wallet)
  expect([totalEarnedMicro, verifiedX402Payments]).toEqual([0n, 0])
})

test('a funder does not become public by orders that nobody paid', async () => {
  await meet()
  await escrowJob(client, '200000000')
  const funder = { wallet: newWallet() }
  await transfer(funder, seller.wallet.address, 100_000_000n)
  await transfer(funder, client.wallet.address, 100_000_000n)
  await updateScores()
  expect(await reasonsOf()).toEqual({ SHARED_FUNDER: 1 })
  for (let other = 0; other < PUBLIC_FROM_SELLERS; other += 1) {
    const asked = await world.newAgent(await world.newOwner())
    const { jobId } = await calls.hire(client, asked, '1000000')
    await calls.act(client, jobId, 'cancel')
  }
  await transfer(funder, client.wallet.address, 1n)
  await updateScores()
  expect(await reasonsOf()).toEqual({ SHARED_FUNDER: 1 })
})

test('a funder becomes public by what others paid with its money, and not by dust or small change', async () => {
  await meet()
  await escrowJob(client, '200000000')
  const funder = { wallet: newWallet() }
  await transfer(funder, seller.wallet.address, 100_000_000n)
  await transfer(funder, client.wallet.address, 100_000_000n)
  const hired: TestAgent[] = []
  for (let other = 0; other < PUBLIC_FROM_SELLERS; other += 1)
    hired.push(await world.newAgent(await world.newOwner()))
  const reasonsAfter = async (funded: TestOwner, amountMicro: bigint) => {
    await transfer(funder, funded.wallet.address, amountMicro)
    await transfer(funder, client.wallet.address, 1n)
    await updateScores()
    return reasonsOf()
  }

  const regular = await world.newOwner()
  for (const one of hired) await paidX402Job(regular, '5000000', one)
  expect(await reasonsAfter(regular, 1n)).toEqual({ SHARED_FUNDER: 1 })

  const straw = await world.newOwner()
  for (const one of hired) await paidX402Job(straw, '100000', one)
  expect(await reasonsAfter(straw, 1_000_000n)).toEqual({ SHARED_FUNDER: 1 })

  expect(await reasonsAfter(regular, 50_000_000n)).toEqual({})
})

test('a fork that takes the transfer back takes the connection back', async () => {
  await meet()
  await escrowJob(client, '200000000')
  await updateScores()
  await transfer(seller, client.wallet.address, 150_000_000n)
  await updateScores()
  expect(await reputationOf(agent)).toMatchObject(nothing)
  world.chaos.setWeather('dropped')
  await world.chaos.reorganise(1, () => false)
  await world.engine.runOnce()
  await world.tick('scores')
  expect(await reputationOf(agent)).toMatchObject({ ratingCount: 1, completedJobs: 1, averageRating: 5 })
  expect((await world.agentRow(agent.wallet)).totalEarnedMicro).toBe(196_000_000n)
})

test('a refund of exactly one job takes that job away and makes nobody a friend', async () => {
  await meet()
  await x402Job(client, '50000000')
  await x402Job(client, '40000000')
  await updateScores()
  await transfer(seller, client.wallet.address, 40_000_000n)
  await updateScores()
  expect(await reputationOf(agent)).toMatchObject({
    ratingCount: 1,
    completedJobs: 1,
    settledVolume: '50000000',
  })
  expect(await reasonsOf()).toEqual({ MONEY_CAME_BACK: 1 })
})

test('a refund by the service takes away the job that it refunds, and no other of the same price', async () => {
  await meet()
  await x402Job(client, '50000000')
  const refunded = await paidX402Job(client, '50000000')
  await world.whileWorking(calls.act(seller, refunded, 'refund'))
  await updateScores()
  expect((await calls.jobOf(client, refunded)).status).toBe('CANCELLED')
  expect(await reputationOf(agent)).toMatchObject({
    ratingCount: 1,
    completedJobs: 1,
    settledVolume: '50000000',
  })
  expect(await reasonsOf()).toEqual({})
})

test('a seller cannot silence a bad review with money', async () => {
  await meet()
  await escrowJob(client, '200000000', 1)
  await transfer(seller, client.wallet.address, 150_000_000n)
  await updateScores()
  expect(await reputationOf(agent)).toMatchObject({ averageRating: 1, ratingCount: 1, completedJobs: 0 })
})

test('a dispute counts against an agent until it ends with all the money for the agent', async () => {
  await meet()
  const disputed = async (sellerBps: number) => {
    const jobId = await calls.hireAndFund(client, agent, '100000000')
    await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
    await world.engine.runUntilIdle()
    await world.whileWorking(calls.act(client, jobId, 'dispute', { reason: 'Not what I asked for.' }))
    await updateScores()
    const open = (await reputationOf(agent)).delivery
    await calls.act(seller, jobId, 'dispute/settlement', { sellerBps })
    await calls.act(client, jobId, 'dispute/settlement/accept')
    await updateScores()
    return [open, (await reputationOf(agent)).delivery]
  }
  expect(await disputed(10_000)).toMatchObject([
    { disputeRate: 1, disputeSample: 1 },
    { disputeRate: 0, disputeSample: 1 },
  ])
  expect(await disputed(9_000)).toMatchObject([
    { disputeRate: 0.5, disputeSample: 2 },
    { disputeRate: 0.5, disputeSample: 2 },
  ])
})

test('4.9 from ten goes before 5.0 from one', async () => {
  await meet()
  await escrowJob(client, '100000000')
  const one = await reputationOf(agent)
  await meet()
  for (const rating of [5, 5, 5, 5, 4]) await escrowJob(await world.newOwner(), '100000000', rating)
  const five = await reputationOf(agent)
  expect([one.averageRating, five.averageRating]).toEqual([5, 4.8])
  expect(five.score).toBeGreaterThan(one.score)
  const { arithmetic } = five
  const weight = arithmetic.reviews.reduce((sum, review) => sum + review.weight, 0)
  const lifted = arithmetic.reviews.reduce((sum, review) => sum + review.weight * review.rating, 0)
  const { priorRating, priorWeight } = arithmetic
  expect((priorWeight * priorRating + lifted) / (priorWeight + weight)).toBeCloseTo(five.score, 9)
  expect(five.delivery).toMatchObject({
    deliveryRate: 1,
    deliverySample: 5,
    disputeRate: 0,
    disputeSample: 5,
  })
  expect(five.delivery).toMatchObject({ medianDeliverySample: 5, medianResponseSample: 5 })
})
