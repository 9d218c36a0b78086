import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { halt } from '../../../money/following/status.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Hex } from '../../../ports/chain/port.ts'
import { findJob } from '../lifecycle/store.ts'
import type { JobCalls } from '../testing/job-calls.ts'
import { startDeal } from '../testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from '../testing/start-jobs.ts'

/** Decisions that others can overtake before they reach the chain. Nobody waits here: the chain has confirmed nothing. */

const MINUTE = 60
const HOUR = 60 * MINUTE
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
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

/** The call alone: the engine stands still. */
const call = (owner: TestOwner, jobId: string, verb: string, body: object = {}) =>
  calls.send(owner, `/api/jobs/${jobId}/${verb}`, body)

async function fundedJob(more: object = {}): Promise<{ jobId: string; key: Hex }> {
  await world.give(client.wallet.address, 150_000_000n)
  const { jobId, paymentInfo } = await calls.hire(client, agent, '150000000', more)
  await call(client, jobId, 'pay', await calls.sign(client.wallet, paymentInfo.typedData))
  await world.engine.runUntilIdle()
  return { jobId, key: (await findJob(world.db, jobId))?.escrowKey as Hex }
}

async function deliveredJob(): Promise<{ jobId: string; key: Hex }> {
  const job = await fundedJob()
  await call(seller, job.jobId, 'deliver', { content: 'Done.' })
  await world.engine.runUntilIdle()
  return job
}

const stateOf = async (jobId: string) => {
  const { status, escrowState } = await calls.jobOf(client, jobId)
  return [status, escrowState]
}

/** Its row of the CSV file. */
const cellsOf = async (jobId: string): Promise<string[]> => {
  const { body } = await calls.get(client, '/api/jobs.csv')
  return (
    body
      .split('\r\n')
      .find((line) => line.includes(jobId))
      ?.split(',') ?? []
  )
}

const newsOf = async (owner: TestOwner, jobId: string) =>
  (
    await world.db.rows<{ type: string }>(sql`
      select type from notifications where owner_id = ${owner.ownerId} and link = ${`/jobs/${jobId}`}`)
  ).map(({ type }) => type)

describe('a dispute that the chain has not confirmed', () => {
  test('is a 202 with the call for the client’s own wallet, and no final word', async () => {
    const { jobId } = await deliveredJob()
    await world.advance(7 * DAY - 20 * MINUTE)
    const { reviewEndsAt } = await calls.jobOf(client, jobId)
    const response = await call(client, jobId, 'dispute', { reason: 'Half of it.' })
    expect(response.statusCode).toBe(202)
    const { data } = response.json()
    expect([data.status, data.job.status, data.job.dispute]).toEqual(['UNDER_REVIEW', 'UNDER_REVIEW', null])
    const { escrow } = world.chain.facts.contracts
    const pending = {
      action: 'DISPUTE',
      escrow,
      calldata: { to: escrow, value: '0', chainId: world.chain.facts.chainId },
      dueBy: reviewEndsAt,
    }
    expect(data.pending).toMatchObject(pending)
    expect(data.job.pending).toEqual(data.pending)
    expect(await calls.jobOf(client, jobId)).toMatchObject({ status: 'UNDER_REVIEW', pending })

    const { to, data: bytes } = data.pending.calldata
    await world.execute(client.wallet, { to, data: bytes, value: 0n })
    await world.engine.runUntilIdle()
    expect(await calls.jobOf(client, jobId)).toMatchObject({
      status: 'DISPUTED',
      escrowState: 'DISPUTED',
      pending: null,
      dispute: { openedBy: 'CLIENT', reason: 'Half of it.' },
    })
  })

  test('is in the file of jobs as little as on the page of the job', async () => {
    const { jobId } = await deliveredJob()
    expect((await call(client, jobId, 'dispute', { reason: 'Half of it.' })).statusCode).toBe(202)
    const { status } = await calls.jobOf(client, jobId)
    expect([status, (await cellsOf(jobId))[7]]).toEqual(['UNDER_REVIEW', 'UNDER_REVIEW'])
    await world.engine.runUntilIdle()
    expect((await cellsOf(jobId))[7]).toBe('DISPUTED')
  })

  test('repeated with its key is a 200 once the chain has it', async () => {
    const { jobId } = await deliveredJob()
    const url = `/api/jobs/${jobId}/dispute`
    const ask = () => calls.send(client, url, { reason: 'No.' }, { 'idempotency-key': `dispute-${jobId}` })
    expect((await ask()).statusCode).toBe(202)
    expect((await ask()).statusCode).toBe(202)
    await world.engine.runUntilIdle()
    const again = await ask()
    expect([again.statusCode, again.json().data.status]).toEqual([200, 'DISPUTED'])
  })

  test('keeps the operator from releasing, also when it comes too late for the chain', async () => {
    const { jobId } = await deliveredJob()
    await world.advance(7 * DAY - 10 * MINUTE)
    expect((await call(client, jobId, 'dispute', { reason: 'Half of it.' })).statusCode).toBe(202)
    await world.advance(HOUR)
    await world.runTicks()
    await world.engine.runUntilIdle()
    await world.runTicks()
    await world.engine.runUntilIdle()
    expect(await stateOf(jobId)).toEqual(['UNDER_REVIEW', 'SUBMITTED'])
    expect(await newsOf(client, jobId)).toContain('SYSTEM_ALERT')
    // Both sides can still end it.
    expect((await call(seller, jobId, 'refund')).statusCode).toBe(200)
  })
})

describe('a claim of a missed deadline', () => {
  test('that the seller overtakes on chain becomes a dispute, and both hear of it', async () => {
    const { jobId, key } = await fundedJob({ deadlineHours: 24 })
    await world.advance(2 * DAY + HOUR)
    await world.engine.runUntilIdle()
    await world.execute(
      seller.wallet,
      world.chain.escrow.submit({ key, deliveryHash: `0x${'01'.repeat(32)}` }),
    )
    const response = await call(client, jobId, 'cancel', { reason: 'Nothing came.' })
    expect([response.statusCode, response.json().data.status]).toEqual([202, 'IN_PROGRESS'])
    await world.engine.runUntilIdle()
    expect(await calls.jobOf(client, jobId)).toMatchObject({
      status: 'DISPUTED',
      escrowState: 'DISPUTED',
      dispute: { openedBy: 'CLIENT' },
    })
    expect(await newsOf(client, jobId)).toContain('JOB_DISPUTED')
    expect(await newsOf(seller, jobId)).toContain('JOB_DISPUTED')
  })

  test('that the chain takes is a cancellation', async () => {
    const { jobId } = await fundedJob({ deadlineHours: 24 })
    await world.advance(2 * DAY + HOUR)
    await world.engine.runUntilIdle()
    expect((await call(client, jobId, 'cancel')).json().data.pending.action).toBe('CANCEL')
    await world.engine.runUntilIdle()
    expect(await stateOf(jobId)).toEqual(['CANCELLED', 'EXPIRED'])
  })
})

describe('other decisions', () => {
  test('are final at once while nothing can overtake them, and a 202 close to the end of their window', async () => {
    const { jobId } = await fundedJob({ deadlineHours: 24 })
    expect((await call(seller, jobId, 'deliver', { content: 'Done.' })).statusCode).toBe(200)
    await world.engine.runUntilIdle()
    await world.advance(7 * DAY - 20 * MINUTE)
    const changes = await call(client, jobId, 'request-changes', { reason: 'More.' })
    expect([changes.statusCode, changes.json().data.status]).toEqual([202, 'UNDER_REVIEW'])
    expect(changes.json().data.pending.action).toBe('REQUEST_CHANGES')
  })

  test('a delivery that the client could overtake is a 202', async () => {
    const { jobId } = await fundedJob({ deadlineHours: 24 })
    await world.advance(2 * DAY - 10 * MINUTE)
    await world.engine.runUntilIdle()
    const late = await call(seller, jobId, 'deliver', { content: 'Late.' })
    expect([late.statusCode, late.json().data.pending.action]).toEqual([202, 'DELIVER'])
  })

  test('are a 202 while the chain is ill', async () => {
    const { jobId } = await deliveredJob()
    await halt(world.db, world.chain.facts.chainId, 'a fork that is too deep')
    const approved = await call(client, jobId, 'approve')
    expect([approved.statusCode, approved.json().data.status]).toEqual([202, 'UNDER_REVIEW'])
    expect(approved.json().data.pending.action).toBe('APPROVE')
    await world.db.transaction((tx) => world.engine.resume(tx))
    await world.engine.runUntilIdle()
    expect(await stateOf(jobId)).toEqual(['COMPLETED', 'RELEASED'])
  })
})
