import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../../../app.ts'
import type { Database } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { createJobCalls, type JobCalls } from '../testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../testing/start-jobs.ts'

const PRICE = 5_000_000n
const HOUR = 3600

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent
let hasty: App

beforeAll(async () => {
  world = await startJobs()
  hasty = await world.startBeside({ settlementWaitMs: 0 })
  calls = createJobCalls(world)
  seller = await world.newOwner()
  client = await world.newOwner()
})
afterAll(() => world.close())
beforeEach(async () => {
  agent = await world.newAgent(seller)
})
afterEach(async () => {
  world.chaos.setWeather('fair')
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

const balanceOf = (address: string) => world.chain.usdc.balanceOf(address)

/** A job paid by x402, by the client's wallet or another. */
async function paidJob(payer = client, more: object = {}, price = PRICE): Promise<string> {
  await world.give(payer.wallet.address, price)
  const { jobId } = await calls.hire(client, agent, price.toString(), more)
  const header = await calls.x402Header(payer.wallet, await calls.act(client, jobId, 'pay'))
  const paid = await world.whileWorking(calls.send(client, `/api/jobs/${jobId}/pay`, undefined, header))
  expect(paid.statusCode).toBe(200)
  return jobId
}

const refund = (jobId: string, headers: Record<string, string> = {}) =>
  world.whileWorking(calls.send(seller, `/api/jobs/${jobId}/refund`, { reason: 'Sorry.' }, headers))

const eventsOf = async (jobId: string) =>
  (await calls.jobOf(client, jobId)).timeline.map(({ type }: { type: string }) => type)

const refundEntries = (jobId: string) =>
  world.db.rows<{ account: string; amount: bigint }>(sql`
    select p.account, p.amount_micro as amount from journal_entries e join journal_postings p on p.entry_id = e.id
    where e.kind = 'x402.refund' and e.job_id = ${jobId} and e.reverses is null
      and not exists (select 1 from journal_entries r where r.reverses = e.id) order by p.amount_micro`)

describe('a refund', () => {
  test('goes to the wallet that paid, no matter who hired, to the micro-unit', async () => {
    const payer = await world.newOwner()
    const jobId = await paidJob(payer)
    expect(await balanceOf(agent.wallet)).toBe(PRICE)
    const answer = await refund(jobId)
    expect(answer.statusCode).toBe(200)
    const { data } = answer.json()
    expect(data).toMatchObject({
      status: 'CANCELLED',
      refund: {
        status: 'CONFIRMED',
        amount: PRICE.toString(),
        to: payer.wallet.address,
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        refundedAt: expect.any(String),
      },
      nextAction: null,
    })
    expect(data.job.refund).toEqual(data.refund)
    expect(await balanceOf(payer.wallet.address)).toBe(PRICE)
    expect(await balanceOf(agent.wallet)).toBe(0n)
    expect(await refundEntries(jobId)).toMatchObject([{ amount: -PRICE }, { amount: PRICE }])
    expect(await eventsOf(jobId)).toEqual(['JOB_CREATED', 'JOB_FUNDED', 'REFUND_STARTED', 'JOB_REFUNDED'])
  })

  test('leaves the agent nothing earned, and a review of the job shown and not counted', async () => {
    const jobId = await paidJob()
    await world.advance(73 * HOUR)
    const review = await calls.act(client, jobId, 'review', { rating: 1, comment: 'Nothing came.' })
    expect(review.json().data).toMatchObject({ kind: 'NOT_DELIVERED', refunded: false, counted: true })
    expect(await world.agentRow(agent.wallet)).toMatchObject({ reviewCount: 1, totalEarnedMicro: 0n })
    await refund(jobId)
    expect(await world.agentRow(agent.wallet)).toMatchObject({
      reviewCount: 0,
      totalEarnedMicro: 0n,
      cancelledJobs: 1,
      totalJobs: 0,
    })
    const { review: shown } = await calls.jobOf(client, jobId)
    expect(shown).toMatchObject({ kind: 'NOT_DELIVERED', refunded: true, counted: false, rating: 1 })
  })

  test('works after the client has cancelled, and takes back what the agent had earned by that', async () => {
    const jobId = await paidJob()
    await world.advance(73 * HOUR)
    const cancelled = await calls.act(client, jobId, 'cancel')
    expect(cancelled.json().data).toMatchObject({
      status: 'CANCELLED',
      refund: null,
      nextAction: { actor: 'SELLER', action: 'REFUND' },
    })
    expect((await world.agentRow(agent.wallet)).totalEarnedMicro).toBe(PRICE)
    expect((await refund(jobId)).json().data).toMatchObject({ refund: { status: 'CONFIRMED' } })
    expect(await world.agentRow(agent.wallet)).toMatchObject({ totalEarnedMicro: 0n, cancelledJobs: 1 })
    const again = await calls.act(client, jobId, 'cancel')
    expect(again.statusCode).toBe(409)
  })

  test('is refused where the wallet holds too little, and can be requested once it does', async () => {
    const jobId = await paidJob()
    const other = await world.newAgent(seller)
    await spendAll(agent, other)
    const refused = await refund(jobId)
    expect([refused.statusCode, refused.json().error]).toMatchObject([
      422,
      { code: 'INSUFFICIENT_BALANCE', details: { available: '0', required: PRICE.toString() } },
    ])
    expect(await calls.jobOf(client, jobId)).toMatchObject({ status: 'IN_PROGRESS', refund: null })
    await world.give(agent.wallet, PRICE)
    expect((await refund(jobId)).statusCode).toBe(200)
  })

  test('stays within the limits that the owner set for the wallet', async () => {
    agent = await world.newAgent(seller, { perTxLimitMicro: PRICE - 1n })
    const jobId = await paidJob()
    const refused = await refund(jobId)
    expect([refused.statusCode, refused.json().error.details]).toMatchObject([
      403,
      { guardrail: 'perTxLimitUsdc', limit: (PRICE - 1n).toString() },
    ])
    expect((await calls.jobOf(client, jobId)).refund).toBeNull()
  })

  test('is the seller’s alone, of a job that was paid and is not completed', async () => {
    const jobId = await paidJob()
    const byClient = await calls.act(client, jobId, 'refund')
    expect(byClient.statusCode).toBe(403)
    await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
    const completed = await refund(jobId)
    expect([completed.statusCode, completed.json().error.code]).toEqual([409, 'INVALID_STATE'])
    const { jobId: unpaid } = await calls.hire(client, agent, PRICE.toString())
    expect((await refund(unpaid)).statusCode).toBe(409)
    await calls.act(client, unpaid, 'cancel')
    expect((await refund(unpaid)).statusCode).toBe(409)
    expect(await balanceOf(agent.wallet)).toBe(PRICE)
  })
})

describe('at the same time', () => {
  test('two refunds: the money goes back once', async () => {
    const payer = await world.newOwner()
    const jobId = await paidJob(payer)
    await world.give(agent.wallet, 10n * PRICE)
    const answers = await world.whileWorking(
      Promise.all(Array.from({ length: 4 }, () => calls.send(seller, `/api/jobs/${jobId}/refund`, {}))),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409])
    expect(await balanceOf(payer.wallet.address)).toBe(PRICE)
  })

  test('a repeated call with its key gets the same end', async () => {
    const payer = await world.newOwner()
    const jobId = await paidJob(payer)
    const key = { 'idempotency-key': randomUUID() }
    const [first, second] = [await refund(jobId, key), await refund(jobId, key)]
    expect([first.statusCode, second.statusCode]).toEqual([200, 200])
    expect(second.json().data.refund).toEqual(first.json().data.refund)
    expect(await balanceOf(payer.wallet.address)).toBe(PRICE)
  })

  test('refund and delivery: one of them happens', async () => {
    const payer = await world.newOwner()
    for (const order of [0, 1]) {
      const jobId = await paidJob(payer)
      const before = await balanceOf(payer.wallet.address)
      const [refunded, delivered] = await world.whileWorking(
        Promise.all([
          calls.send(seller, `/api/jobs/${jobId}/refund`, {}),
          calls.send(seller, `/api/jobs/${jobId}/deliver`, { content: `Done ${order}.` }),
        ]),
      )
      expect([refunded.statusCode, delivered.statusCode].filter((code) => code === 200)).toHaveLength(1)
      const job = await calls.jobOf(client, jobId)
      const wasRefunded = refunded.statusCode === 200
      expect(job.status).toBe(wasRefunded ? 'CANCELLED' : 'COMPLETED')
      expect(await balanceOf(payer.wallet.address)).toBe(before + (wasRefunded ? PRICE : 0n))
    }
  })

  test('while it is pending nobody can deliver or cancel, and asking again is refused', async () => {
    const jobId = await paidJob()
    await world.advance(73 * HOUR)
    await decide(jobId)
    expect(await calls.jobOf(client, jobId)).toMatchObject({
      status: 'IN_PROGRESS',
      refund: { status: 'PENDING', txHash: null },
      allowedActions: ['REVIEW', 'MESSAGE'],
    })
    for (const [owner, verb, body] of [
      [seller, 'deliver', { content: 'Done.' }],
      [client, 'cancel', {}],
      [seller, 'refund', {}],
    ] as const) {
      const answer = await calls.act(owner, jobId, verb, body)
      expect([answer.statusCode, answer.json().error.code], verb).toEqual([409, 'INVALID_STATE'])
    }
    await world.engine.runUntilIdle()
    expect((await calls.jobOf(client, jobId)).status).toBe('CANCELLED')
  })
})

describe('the chain', () => {
  test('a refund that a fork takes back goes out again, and the books follow', async () => {
    const payer = await world.newOwner()
    const jobId = await paidJob(payer)
    await refund(jobId)
    world.chaos.setWeather('dropped')
    await world.chaos.reorganise(1, () => false)
    await world.engine.runOnce()
    expect(await calls.jobOf(client, jobId)).toMatchObject({ refund: { status: 'PENDING' } })
    world.chaos.setWeather('fair')
    await world.engine.runUntilIdle()
    expect(await calls.jobOf(client, jobId)).toMatchObject({
      status: 'CANCELLED',
      refund: { status: 'CONFIRMED' },
    })
    expect(await balanceOf(payer.wallet.address)).toBe(PRICE)
    expect(await refundEntries(jobId)).toHaveLength(2)
  })

  test('a process that dies after the decision leaves a refund that another carries out once', async () => {
    const payer = await world.newOwner()
    const jobId = await paidJob(payer)
    await decide(jobId)
    // Nothing waits for it any more: the engine finds the order in the database.
    await world.engine.runUntilIdle()
    await world.engine.runUntilIdle()
    expect((await calls.jobOf(client, jobId)).refund.status).toBe('CONFIRMED')
    expect(await balanceOf(payer.wallet.address)).toBe(PRICE)
  })

  test('a decision that is rolled back leaves no refund at all', async () => {
    const jobId = await paidJob()
    const dying = await world.startBeside({ ports: dyingBeforeCommit })
    const response = await dying.http.inject({ ...refundOf(jobId), method: 'POST' })
    expect(response.statusCode).toBe(500)
    await world.engine.runUntilIdle()
    expect(await calls.jobOf(client, jobId)).toMatchObject({ status: 'IN_PROGRESS', refund: null })
    expect(await balanceOf(agent.wallet)).toBe(PRICE)
  })

  test('a refund that the token refuses leaves the job as it was, says why, and can be tried again', async () => {
    const jobId = await paidJob()
    await decide(jobId)
    await spendAll(agent, await world.newAgent(seller))
    await world.engine.runUntilIdle()
    await world.runTicks()
    expect(await calls.jobOf(seller, jobId)).toMatchObject({ status: 'IN_PROGRESS', refund: null })
    expect(await eventsOf(jobId)).toContain('REFUND_FAILED')
    await world.give(agent.wallet, PRICE)
    expect((await refund(jobId)).statusCode).toBe(200)
  })
})

const refundOf = (jobId: string) => ({
  url: `/api/jobs/${jobId}/refund`,
  headers: seller.headers,
  payload: {},
})

/** The decision alone, by a process that does not wait for the chain. */
async function decide(jobId: string): Promise<void> {
  const response = await hasty.http.inject({ ...refundOf(jobId), method: 'POST' })
  expect(response.statusCode).toBe(202)
}

/** Every transaction of such a process ends before it is stored. */
const dyingBeforeCommit = ({ db }: { db: Database }) => ({
  db: {
    ...db,
    transaction: <T>(work: (tx: Transaction) => Promise<T>) =>
      db.transaction<T>(async (tx) => {
        await work(tx)
        throw new Error('the process dies here')
      }),
  },
})

/** All that an agent's wallet holds goes elsewhere, past the service. */
async function spendAll(from: TestAgent, to: TestAgent): Promise<void> {
  await world.drain(from, to.wallet)
  await world.engine.runUntilIdle()
  expect(await balanceOf(from.wallet)).toBe(0n)
}
