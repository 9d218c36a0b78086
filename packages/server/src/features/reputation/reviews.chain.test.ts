import {
  decodeReputationEvents,
  getReputationSummary,
  hashDocument,
  prepareRegisterAgent,
  prepareTransfer,
} from '@agent-marketplace/chain'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { Hex } from '../../ports/chain/port.ts'
import type { JobCalls } from '../jobs/testing/job-calls.ts'
import { startDeal } from '../jobs/testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from '../jobs/testing/start-jobs.ts'
import { portfoliosOf, reviewsOf } from './history.ts'

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent

beforeAll(async () => {
  ;({ world, calls, client, seller, agent } = await startDeal())
  await register(agent)
})
afterAll(() => world.close())
afterEach(async () => {
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

/** The agent gets its number in the registry, owned by its seller as in real life. */
async function register({ id, owner }: TestAgent): Promise<bigint> {
  const registry = world.chain.facts.contracts.agentRegistry as Hex
  await world.give(owner.wallet.address, 1n)
  const hash = await world.execute(
    owner.wallet,
    prepareRegisterAgent({ registry, agentUri: 'https://example.com' }),
  )
  const outcome = await world.chain.reader.getOutcome(hash)
  const event =
    'events' in outcome ? outcome.events.find(({ name }) => name === 'AgentRegistered') : undefined
  if (event?.name !== 'AgentRegistered') throw new Error('the agent was not registered')
  await world.db.run(sql`update agents set on_chain_agent_id = ${event.agentId} where id = ${id}`)
  return event.agentId
}

async function completedJob(buyer: TestOwner, hired: TestAgent): Promise<string> {
  const jobId = await calls.hireAndFund(buyer, hired, '100000000')
  await calls.act(hired.owner, jobId, 'deliver', { content: 'Done.' })
  await calls.act(buyer, jobId, 'approve')
  await world.engine.runUntilIdle()
  return jobId
}

const reputationOf = async ({ wallet }: TestAgent) =>
  (await calls.get(client, `/api/agents/${wallet}/reputation`)).json().data

test('a review is given once, replied to once, counted, and written to the chain', async () => {
  const jobId = await completedJob(client, agent)
  const early = await calls.act(seller, jobId, 'review/reply', { comment: 'Thanks?' })
  expect([early.statusCode, early.json().error.code]).toEqual([409, 'CONFLICT'])

  const given = await Promise.all(
    Array.from({ length: 20 }, () =>
      calls.act(client, jobId, 'review', { rating: 4, comment: 'Every figure matched.' }),
    ),
  )
  expect(given.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, ...Array(19).fill(409)])
  expect(given.find(({ statusCode }) => statusCode === 201)?.json().data).toMatchObject({
    jobId,
    rating: 4,
    counted: true,
    clientWallet: client.wallet.address,
    agreedPrice: '100000000',
    reply: null,
    txHash: null,
  })
  expect((await calls.act(seller, jobId, 'review', { rating: 5 })).statusCode).toBe(403)
  const replied = await calls.act(seller, jobId, 'review/reply', { comment: 'See you in November.' })
  expect([replied.statusCode, replied.json().data.reply]).toEqual([200, 'See you in November.'])
  expect((await calls.act(seller, jobId, 'review/reply', { comment: 'Again.' })).statusCode).toBe(409)

  await world.engine.runUntilIdle()
  const { review } = await calls.jobOf(client, jobId)
  expect(review.txHash).toMatch(/^0x[0-9a-f]{64}$/)
  const reputation = await reputationOf(agent)
  expect(reputation).toMatchObject({
    averageRating: 4,
    ratingSum: 4,
    ratingCount: 1,
    ratingCounts: [0, 0, 0, 1, 0],
    completedJobs: 1,
    cancelledJobs: 0,
    completionRate: 1,
    settledVolume: '100000000',
    onChain: { feedbackCount: 1 },
  })
  const { reputationRegistry } = world.chain.facts.contracts
  const summary = await getReputationSummary(world.chaos.client, {
    registry: reputationRegistry as Hex,
    agentId: BigInt(reputation.onChain.agentId),
    reviewers: [world.chain.facts.operator as Hex],
    tag1: 'starred',
  })
  expect(summary).toMatchObject({ count: 1, value: 80n })
})

const reputationEvents = async (hash: string) => {
  const outcome = await world.chain.reader.getOutcome(hash as Hex)
  if (outcome.status !== 'success') throw new Error(`${hash} is ${outcome.status}`)
  const { logs } = await world.chaos.client.getTransactionReceipt({ hash: hash as Hex })
  const registry = world.chain.facts.contracts.reputationRegistry as Hex
  return decodeReputationEvents({ registry, logs })
}

const documentAt = async (uri: string) => {
  const response = await calls.get(client, new URL(uri).pathname)
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/json'])
  return response
}

async function intentOf(kind: string, reviewId: string) {
  return world.db.one<{ status: string; txHash: string }>(sql`
    select status, tx_hash from intents where kind = ${kind} and payload ->> 'reviewId' = ${reviewId}`)
}

test('a feedback names one file that never changes, with the payment that it is about', async () => {
  const jobId = await completedJob(client, agent)
  await calls.act(client, jobId, 'review', { rating: 5, comment: 'Every figure matched.' })
  await world.engine.runUntilIdle()
  const job = await calls.jobOf(client, jobId)
  const [given] = await reputationEvents(job.review.txHash)
  if (given?.name !== 'FeedbackGiven') throw new Error('no feedback was given')
  const payout = job.timeline.find(({ type }: { type: string }) => type === 'ESCROW_RELEASED')
  const { chainId, operator } = world.chain.facts
  const response = await documentAt(given.feedbackUri)
  expect(hashDocument(response.body)).toBe(given.feedbackHash)
  expect(given.feedbackUri.endsWith(`/api/feedback/${given.feedbackHash}`)).toBe(true)
  expect(response.headers['cache-control']).toContain('immutable')
  expect(given).toMatchObject({ value: 100n, valueDecimals: 0, tag1: 'starred', tag2: 'general' })
  expect(new URL(given.endpoint).pathname).toBe(`/agents/${agent.wallet}`)
  expect(response.json()).toEqual({
    agentRegistry: world.chain.agentRegistry.reference,
    agentId: Number(given.agentId),
    clientAddress: `eip155:${chainId}:${operator}`,
    createdAt: job.review.createdAt,
    value: 100,
    valueDecimals: 0,
    tag1: 'starred',
    tag2: 'general',
    endpoint: given.endpoint,
    proofOfPayment: {
      fromAddress: client.wallet.address,
      toAddress: agent.wallet,
      chainId: String(chainId),
      txHash: payout.txHash,
    },
    reviewer: `eip155:${chainId}:${client.wallet.address}`,
    rating: 5,
    comment: 'Every figure matched.',
    jobId,
  })
  const unknown = await calls.get(client, `/api/feedback/0x${'00'.repeat(32)}`)
  expect([unknown.statusCode, unknown.json().error.code]).toEqual([404, 'NOT_FOUND'])
})

test('a reply is appended on chain, whether the review was there before it or not', async () => {
  for (const isOnChainFirst of [true, false]) {
    const jobId = await completedJob(client, agent)
    await calls.act(client, jobId, 'review', { rating: 4 })
    if (isOnChainFirst) await world.engine.runUntilIdle()
    const replied = await calls.act(seller, jobId, 'review/reply', { comment: 'See you in November.' })
    await world.engine.runUntilIdle()
    const { txHash } = await intentOf('reputation.response', replied.json().data.id)
    const [appended] = await reputationEvents(txHash)
    if (appended?.name !== 'ResponseAppended') throw new Error('no reply was appended')
    const response = await documentAt(appended.responseUri)
    expect(hashDocument(response.body)).toBe(appended.responseHash)
    expect(response.json()).toMatchObject({
      agentId: Number(appended.agentId),
      feedbackIndex: Number(appended.feedbackIndex),
      responder: `eip155:${world.chain.facts.chainId}:${seller.wallet.address}`,
      response: 'See you in November.',
    })
  }
})

test('a review that no longer counts is revoked on chain, and written once more when it counts again', async () => {
  const [owner, buyer, exchange] = await Promise.all([world.newOwner(), world.newOwner(), world.newOwner()])
  const rated = await world.newAgent(owner)
  const agentId = await register(rated)
  const jobId = await completedJob(buyer, rated)
  await calls.act(buyer, jobId, 'review', { rating: 5 })
  await world.engine.runUntilIdle()
  const summary = () =>
    getReputationSummary(world.chaos.client, {
      registry: world.chain.facts.contracts.reputationRegistry as Hex,
      agentId,
      reviewers: [world.chain.facts.operator as Hex],
      tag1: 'starred',
    })
  const updateScores = async () => {
    await world.engine.runUntilIdle()
    await world.tick('scores')
    await world.engine.runUntilIdle()
  }
  const send = async (from: TestOwner, to: TestOwner, amountMicro: bigint) => {
    await world.give(from.wallet.address, amountMicro)
    const usdc = world.chain.facts.contracts.usdc as Hex
    await world.execute(from.wallet, prepareTransfer({ usdc, to: to.wallet.address, amountMicro }))
  }
  expect(await summary()).toMatchObject({ count: 1, value: 100n })

  // The seller's money reaches the buyer over a third wallet.
  await send(owner, exchange, 98_000_000n)
  await send(exchange, buyer, 98_000_000n)
  await updateScores()
  const { id: reviewId, counted } = (await calls.jobOf(buyer, jobId)).review
  expect(counted).toBe(false)
  expect((await intentOf('reputation.revoke', reviewId)).status).toBe('SETTLED')
  expect(await summary()).toMatchObject({ count: 0 })
  expect((await reputationOf(rated)).onChain.feedbackCount).toBe(0)
  expect((await calls.jobOf(buyer, jobId)).review.txHash).toBeNull()

  // That wallet turns out to be one through which everybody's money goes.
  const wallet = exchange.wallet.address.toLowerCase()
  await world.db.run(sql`insert into public_wallets (wallet) values (${wallet})`)
  await world.db.run(sql`select score_around(${wallet})`)
  await updateScores()
  expect((await calls.jobOf(buyer, jobId)).review).toMatchObject({ counted: true })
  expect(await summary()).toMatchObject({ count: 1, value: 100n })
  expect((await reputationOf(rated)).onChain.feedbackCount).toBe(1)
})

test('a review that stops counting before it is on chain does not stay there', async () => {
  const [owner, buyer] = await Promise.all([world.newOwner(), world.newOwner()])
  const rated = await world.newAgent(owner)
  const jobId = await completedJob(buyer, rated)
  await calls.act(buyer, jobId, 'review', { rating: 5 })
  await world.engine.runUntilIdle()
  const usdc = world.chain.facts.contracts.usdc as Hex
  await world.give(owner.wallet.address, 98_000_000n)
  await world.execute(
    owner.wallet,
    prepareTransfer({ usdc, to: buyer.wallet.address, amountMicro: 98_000_000n }),
  )
  await world.engine.runUntilIdle()
  await world.tick('scores')
  expect((await calls.jobOf(buyer, jobId)).review).toMatchObject({ counted: false, txHash: null })
  await register(rated)
  await world.db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)
  await world.engine.runUntilIdle()
  expect((await reputationOf(rated)).onChain.feedbackCount).toBe(0)
  const { id: reviewId } = (await calls.jobOf(buyer, jobId)).review
  expect((await intentOf('reputation.revoke', reviewId)).status).toBe('SETTLED')
})

test('the feedback waits until the agent has its number, and a fork takes it back until it is there again', async () => {
  const late = await world.newAgent(seller)
  const jobId = await completedJob(client, late)
  await calls.act(client, jobId, 'review', { rating: 5 })
  await world.engine.runUntilIdle()
  expect((await reputationOf(late)).onChain).toMatchObject({ agentId: null, feedbackCount: 0 })
  await register(late)
  await world.db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)
  await world.engine.runUntilIdle()
  expect((await reputationOf(late)).onChain.feedbackCount).toBe(1)
  world.chaos.setWeather('dropped')
  await world.chaos.reorganise(1, () => false)
  await world.engine.runOnce()
  expect((await reputationOf(late)).onChain.feedbackCount).toBe(0)
  expect((await calls.jobOf(client, jobId)).review.txHash).toBeNull()
  world.chaos.setWeather('fair')
  await world.engine.runUntilIdle()
  expect((await reputationOf(late)).onChain.feedbackCount).toBe(1)
})

test('work for oneself can be reviewed, is shown, and never counts', async () => {
  const own = await world.newAgent(seller)
  const jobId = await completedJob(seller, own)
  const reviewed = await calls.act(seller, jobId, 'review', { rating: 5 })
  expect(reviewed.json().data.counted).toBe(false)
  await world.engine.runUntilIdle()
  expect(await reputationOf(own)).toMatchObject({
    averageRating: 0,
    ratingCount: 0,
    completedJobs: 0,
    settledVolume: '0',
  })
  const intents = await world.db.rows(
    sql`select 1 from intents where key = ${`reputation.feedback:${reviewed.json().data.id}`}`,
  )
  expect(intents).toEqual([])
})

test('a job is reviewed once it is completed, or paid and overdue', async () => {
  const { jobId } = await calls.hire(client, agent, '5000000')
  const pending = await calls.act(client, jobId, 'review', { rating: 5 })
  expect([pending.statusCode, pending.json().error.details.allowed]).toEqual([
    409,
    ['COMPLETED', 'IN_PROGRESS', 'CANCELLED'],
  ])
  for (const rating of [0, 6, 2.5, '5']) {
    expect((await calls.act(client, jobId, 'review', { rating })).statusCode).toBe(400)
  }
})

test('reviews are listed newest first, page by page, in any letter case of the wallet', async () => {
  const rated = await world.newAgent(seller)
  const buyers = await Promise.all([world.newOwner(), world.newOwner(), world.newOwner()])
  const ratings = [5, 2, 4]
  for (const [index, buyer] of buyers.entries()) {
    const jobId = await completedJob(buyer, rated)
    await calls.act(buyer, jobId, 'review', { rating: ratings[index] })
    await world.advance(1)
  }
  const page = async (query: string) =>
    (await calls.get(client, `/api/agents/${rated.wallet.toLowerCase()}/reviews${query}`)).json().data
  const all = await page('')
  expect(all.reviews.map((review: { rating: number }) => review.rating)).toEqual([4, 2, 5])
  expect(await page('?limit=1&offset=1')).toMatchObject({
    reviews: [{ rating: 2 }],
    total: 3,
    limit: 1,
    offset: 1,
  })
  expect(await reputationOf(rated)).toMatchObject({ ratingSum: 11, ratingCount: 3, averageRating: 11 / 3 })
  expect((await reviewsOf(world.db, [rated.id])).get(rated.id)).toEqual(all.reviews)
  const portfolio = (await portfoliosOf(world.db, [rated.id, agent.id])).get(rated.id)
  expect(portfolio?.map(({ jobId }) => jobId)).toEqual([all.reviews[0].jobId, all.reviews[2].jobId])

  const recentWork = async () => (await world.http.inject('/api/recent-work')).json().data
  const works = await recentWork()
  expect(works[0]).toEqual({
    jobId: all.reviews[0].jobId,
    title: portfolio?.[0]?.title,
    agentWallet: rated.wallet,
    agentName: 'Ledger Lark',
    agentAvatarUrl: null,
    agreedPrice: all.reviews[0].agreedPrice,
    deliverySeconds: expect.any(Number),
    rating: 4,
    completedAt: portfolio?.[0]?.completedAt,
  })
  const wallets = works.map(({ agentWallet }: { agentWallet: string }) => agentWallet)
  expect(new Set(wallets).size).toBe(wallets.length)
  await world.db.run(sql`update agents set paused_by = 'OWNER' where id = ${rated.id}`)
  expect(JSON.stringify(await recentWork())).not.toContain(rated.wallet)
})
