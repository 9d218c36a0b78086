import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import type { JobCalls } from '../testing/job-calls.ts'
import { startDeal } from '../testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from '../testing/start-jobs.ts'

/** Many at once: one effect. */

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

const payouts = (jobId: string) =>
  world.db.rows<{ kind: string }>(sql`
    select kind from journal_entries where job_id = ${jobId} and kind <> 'escrow.funded' and reverses is null`)

const twentyTimes = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, work))

async function deliveredJob(): Promise<string> {
  const jobId = await calls.hireAndFund(client, agent)
  await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
  await world.engine.runUntilIdle()
  return jobId
}

test('twenty approvals release once', async () => {
  const jobId = await deliveredJob()
  const responses = await twentyTimes(() => calls.act(client, jobId, 'approve'))
  expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(19).fill(409)])
  await world.engine.runUntilIdle()
  expect(await payouts(jobId)).toEqual([{ kind: 'escrow.released' }])
})

test('twenty approvals with one Idempotency-Key all get the first response', async () => {
  const jobId = await deliveredJob()
  const url = `/api/jobs/${jobId}/approve`
  const responses = await twentyTimes(() =>
    calls.send(client, url, {}, { 'idempotency-key': `approve-${jobId}` }),
  )
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(new Set(responses.map(({ body }) => body)).size).toBe(1)
})

test('a repeated delivery with its Idempotency-Key returns the first response', async () => {
  const jobId = await calls.hireAndFund(client, agent)
  const url = `/api/jobs/${jobId}/deliver`
  const deliver = () => calls.send(seller, url, { content: 'Done.' }, { 'idempotency-key': 'deliver' })
  const first = await deliver()
  const again = await deliver()
  expect([again.statusCode, again.body]).toEqual([200, first.body])
  const { count } = await world.db.one<{ count: bigint }>(
    sql`select count(*) from job_deliveries where job_id = ${jobId}`,
  )
  expect(count).toBe(1n)
})

test('approval, refund, dispute and request for changes at once: one of them, and one payout at most', async () => {
  for (let round = 0; round < 5; round += 1) {
    const jobId = await deliveredJob()
    const responses = await Promise.all([
      calls.act(client, jobId, 'approve'),
      calls.act(seller, jobId, 'refund'),
      calls.act(client, jobId, 'request-changes'),
    ])
    await world.engine.runUntilIdle()
    const codes = responses.map(({ statusCode }) => statusCode)
    // After a request for changes the seller may still refund, so two may succeed, one after the other.
    expect(codes.filter((code) => code === 200).length).toBeGreaterThanOrEqual(1)
    expect((await payouts(jobId)).length).toBeLessThanOrEqual(1)
    const { status, escrowState } = await calls.jobOf(client, jobId)
    expect([
      ['COMPLETED', 'RELEASED'],
      ['CANCELLED', 'REFUNDED'],
      ['IN_PROGRESS', 'FUNDED'],
    ]).toContainEqual([status, escrowState])
  }
})

test('the auto-release and the client’s approval at the same moment pay once', async () => {
  const jobId = await deliveredJob()
  await world.advance(8 * 24 * 3600)
  await Promise.all([world.runTicks(), calls.act(client, jobId, 'approve'), world.runTicks()])
  await world.engine.runUntilIdle()
  expect(await payouts(jobId)).toEqual([{ kind: 'escrow.released' }])
})

test('decisions one after another, before the chain has seen any, all arrive in their order', async () => {
  const jobId = await calls.hireAndFund(client, agent)
  await calls.act(seller, jobId, 'deliver', { content: 'First.' })
  await calls.act(client, jobId, 'request-changes', { reason: 'More.' })
  await calls.act(seller, jobId, 'deliver', { content: 'Second.' })
  await calls.act(client, jobId, 'approve')
  await world.engine.runUntilIdle()
  const job = await calls.jobOf(client, jobId)
  expect(job).toMatchObject({
    status: 'COMPLETED',
    escrowState: 'RELEASED',
    delivery: { content: 'Second.' },
  })
  expect(
    job.timeline
      .map(({ type }: { type: string }) => type)
      .filter((type: string) => type.startsWith('ESCROW')),
  ).toEqual(['ESCROW_SUBMITTED', 'ESCROW_CHANGES_REQUESTED', 'ESCROW_SUBMITTED', 'ESCROW_RELEASED'])
})

test('twenty jobs of the same two parties at once all come to their end', async () => {
  const buyer = await world.newOwner()
  await world.give(buyer.wallet.address, 20n * 110_000_000n)
  const live = async (number: number): Promise<string> => {
    const { jobId, paymentInfo } = await calls.hire(buyer, agent, '110000000')
    const signed = await calls.sign(buyer.wallet, paymentInfo.typedData)
    const codes = [
      await calls.act(buyer, jobId, 'pay', signed),
      await calls.act(seller, jobId, 'deliver', { content: `Work ${number}.` }),
      await calls.act(buyer, jobId, number % 2 === 0 ? 'approve' : 'dispute', { reason: 'No.' }),
      ...(number % 2 === 0 ? [] : [await calls.act(seller, jobId, 'refund')]),
    ].map(({ statusCode }) => statusCode)
    expect(new Set(codes)).toEqual(new Set([200]))
    return jobId
  }
  const jobIds = await world.whileWorking(
    Promise.all(Array.from({ length: 20 }, (_none, number) => live(number))),
  )
  await world.engine.runUntilIdle()
  for (const [number, jobId] of jobIds.entries()) {
    const { status, escrowState } = await calls.jobOf(buyer, jobId)
    const expected = number % 2 === 0 ? ['COMPLETED', 'RELEASED'] : ['CANCELLED', 'REFUNDED']
    expect([status, escrowState]).toEqual(expected)
  }
  expect(await world.chain.usdc.balanceOf(buyer.wallet.address)).toBe(10n * 110_000_000n)
})
