import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { createJobCalls, type JobCalls } from '../testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../testing/start-jobs.ts'

const PRICE = 5_000_000n
const HOUR = 3600
const SERVICE = 'cquickservice'

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent

beforeAll(async () => {
  world = await startJobs()
  calls = createJobCalls(world)
  client = await world.newOwner()
})
afterAll(() => world.close())
beforeEach(async () => {
  seller = await world.newOwner()
  agent = await world.newAgent(seller, {
    services: [{ id: SERVICE, priceMicro: PRICE.toString(), deliveryHours: 6 }],
  })
})
afterEach(async () => {
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

async function paidJob(more: object = {}, { by = client, price = PRICE } = {}): Promise<string> {
  await world.give(by.wallet.address, price)
  const { jobId } = await calls.hire(by, agent, price.toString(), more)
  const header = await calls.x402Header(by.wallet, await calls.act(by, jobId, 'pay'))
  const paid = await world.whileWorking(calls.send(by, `/api/jobs/${jobId}/pay`, undefined, header))
  expect(paid.statusCode).toBe(200)
  return jobId
}

async function paidJobs(count: number): Promise<string[]> {
  const jobs: string[] = []
  for (let made = 0; made < count; made += 1) jobs.push(await paidJob())
  return jobs
}

const refund = (jobId: string) => world.whileWorking(calls.send(seller, `/api/jobs/${jobId}/refund`, {}))

async function pass(seconds: number): Promise<void> {
  await world.advance(seconds)
  await world.runTicks()
}

const hoursToDeadline = async (jobId: string): Promise<number> => {
  const { deadlineAt } = await calls.jobOf(client, jobId)
  return Math.round((Date.parse(deadlineAt) - world.clock.now().getTime()) / (HOUR * 1000))
}

const marksOf = () =>
  world.db.one<{ jobs: number; withheld: boolean; listed: boolean }>(sql`
    select undelivered_jobs as jobs, is_withheld as withheld, listed from agents where id = ${agent.id}`)

const noticesTo = (owner: TestOwner, type: string) =>
  world.db.rows<{ message: string }>(
    sql`select message from notifications where owner_id = ${owner.ownerId} and type = ${type} order by seq`,
  )

describe('the deadline of a paid x402 job', () => {
  test('is the given one, else the service’s delivery time, else 72 hours after payment', async () => {
    expect(await hoursToDeadline(await paidJob({ deadlineHours: 5 }))).toBe(5)
    expect(await hoursToDeadline(await paidJob({ serviceId: SERVICE }))).toBe(6)
    expect(await hoursToDeadline(await paidJob())).toBe(72)
    const { jobId } = await calls.hire(client, agent, PRICE.toString())
    expect((await calls.jobOf(client, jobId)).deadlineAt).toBeNull()
  })

  test('once it has passed the job is overdue, and both sides are notified what they can do', async () => {
    const jobId = await paidJob({ deadlineHours: 5 })
    await pass(4 * HOUR)
    expect(await calls.jobOf(client, jobId)).toMatchObject({ overdue: false })
    await pass(HOUR)
    const shown = await calls.jobOf(client, jobId)
    expect(shown).toMatchObject({ status: 'IN_PROGRESS', overdue: true })
    expect(shown.allowedActions).toEqual(['CANCEL', 'REVIEW', 'MESSAGE'])
    expect((await calls.jobOf(seller, jobId)).allowedActions).toEqual([
      'DELIVER',
      'REFUND',
      'REPORT_PROGRESS',
      'MESSAGE',
    ])
    const { data } = (await calls.get(client, '/api/jobs?role=client&limit=1')).json()
    expect(data).toMatchObject([{ id: jobId, overdue: true, refund: null }])
    const notices = await noticesTo(seller, 'JOB_OVERDUE')
    expect(notices).toEqual([
      { message: expect.stringContaining('Deliver the work, or give the money back') },
    ])
    expect((await noticesTo(client, 'JOB_OVERDUE')).at(-1)?.message).toContain('cancel the job and review it')
    await world.runTicks()
    expect(await noticesTo(seller, 'JOB_OVERDUE')).toEqual(notices)
  })

  test('a late delivery still completes it', async () => {
    const jobId = await paidJob({ deadlineHours: 5 })
    await pass(6 * HOUR)
    const delivered = await calls.act(seller, jobId, 'deliver', { content: 'Late.' })
    expect(delivered.json().data).toMatchObject({ status: 'COMPLETED', overdue: false })
  })
})

describe('a review of work that never came', () => {
  test('is possible from the deadline on, once, and says so', async () => {
    const jobId = await paidJob({ deadlineHours: 5 })
    const early = await calls.act(client, jobId, 'review', { rating: 1 })
    expect([early.statusCode, early.json().error.code]).toEqual([409, 'INVALID_STATE'])
    await pass(5 * HOUR)
    const review = await calls.act(client, jobId, 'review', { rating: 1, comment: 'Nothing came.' })
    expect([review.statusCode, review.json().data]).toMatchObject([
      201,
      { kind: 'NOT_DELIVERED', refunded: false },
    ])
    expect((await calls.act(client, jobId, 'review', { rating: 1 })).statusCode).toBe(409)
    const reply = await calls.act(seller, jobId, 'review/reply', { comment: 'It comes.' })
    expect(reply.json().data).toMatchObject({ kind: 'NOT_DELIVERED', reply: 'It comes.' })
    const listed = await calls.get(client, `/api/agents/${agent.wallet}/reviews`)
    expect(listed.json().data.reviews).toMatchObject([{ kind: 'NOT_DELIVERED', rating: 1 }])
  })

  test('is possible after cancelling, and after a refund without counting', async () => {
    const jobId = await paidJob({ deadlineHours: 5 })
    await pass(5 * HOUR)
    await calls.act(client, jobId, 'cancel')
    await refund(jobId)
    const review = await calls.act(client, jobId, 'review', { rating: 2 })
    expect(review.json().data).toMatchObject({ kind: 'NOT_DELIVERED', refunded: true, counted: false })
  })

  test('stops counting when the work comes within the time that the seller promised, and not when it comes later', async () => {
    const counted = async (jobId: string) => {
      await world.engine.runUntilIdle()
      await world.tick('scores')
      return (await calls.jobOf(client, jobId)).review.counted
    }
    for (const [hours, remains] of [
      [3, false],
      [7, true],
    ] as const) {
      const jobId = await paidJob({ serviceId: SERVICE, deadlineHours: 1 })
      await pass(HOUR)
      const review = await calls.act(client, jobId, 'review', { rating: 1 })
      expect(review.json().data).toMatchObject({ kind: 'NOT_DELIVERED', counted: true })
      await pass((hours - 1) * HOUR)
      await calls.act(seller, jobId, 'deliver', { content: 'Here it is.' })
      expect(await counted(jobId), `after ${hours} hours`).toBe(remains)
    }
    const { arithmetic } = (await calls.get(client, `/api/agents/${agent.wallet}/reputation`)).json().data
    expect(arithmetic.notCounted).toEqual({ DELIVERED_IN_TIME: 1 })
  })

  test('does not use up the word about work that came in time after all', async () => {
    const jobId = await paidJob({ serviceId: SERVICE, deadlineHours: 1 })
    await pass(HOUR)
    await calls.act(client, jobId, 'review', { rating: 1 })
    await world.engine.runUntilIdle()
    await calls.act(seller, jobId, 'deliver', { content: '.' })
    expect((await calls.jobOf(client, jobId)).allowedActions).toEqual(['REVIEW', 'MESSAGE'])
    const review = await calls.act(client, jobId, 'review', { rating: 2, comment: 'A dot.' })
    expect([review.statusCode, review.json().data]).toMatchObject([
      201,
      { kind: 'WORK', rating: 2, comment: 'A dot.', counted: true },
    ])
    expect((await calls.act(client, jobId, 'review', { rating: 1 })).statusCode).toBe(409)
    await world.engine.runUntilIdle()
    const { averageRating, ratingCount } = (
      await calls.get(client, `/api/agents/${agent.wallet}/reputation`)
    ).json().data
    expect([averageRating, ratingCount]).toEqual([2, 1])
  })

  test('is not possible for a job that was never paid', async () => {
    const { jobId } = await calls.hire(client, agent, PRICE.toString())
    await calls.act(client, jobId, 'cancel')
    expect((await calls.act(client, jobId, 'review', { rating: 1 })).statusCode).toBe(409)
  })
})

describe('an agent with undelivered jobs', () => {
  test('is marked by one, until it is delivered or refunded', async () => {
    const [first, second] = [await paidJob({ serviceId: SERVICE }), await paidJob({ serviceId: SERVICE })]
    await pass(5 * HOUR)
    expect(await marksOf()).toEqual({ jobs: 0, withheld: false, listed: true })
    await pass(HOUR)
    expect(await marksOf()).toEqual({ jobs: 2, withheld: false, listed: true })
    await calls.act(seller, first, 'deliver', { content: 'Late.' })
    expect((await marksOf()).jobs).toBe(1)
    await refund(second)
    expect((await marksOf()).jobs).toBe(0)
  })

  test('is unlisted by three, its owner is notified why and what to do, and listed again by itself', async () => {
    const [first = ''] = await paidJobs(3)
    await pass(72 * HOUR)
    expect(await marksOf()).toEqual({ jobs: 3, withheld: true, listed: false })
    expect(await noticesTo(seller, 'AGENT_UNLISTED')).toEqual([
      { message: expect.stringContaining('Deliver or refund them, and it is listed again automatically.') },
    ])
    // Cancelling does not settle it: the money is still with the agent.
    await calls.act(client, first, 'cancel')
    expect((await marksOf()).withheld).toBe(true)
    expect(await noticesTo(seller, 'AGENT_RELISTED')).toEqual([])
    await refund(first)
    expect(await marksOf()).toEqual({ jobs: 2, withheld: false, listed: true })
    expect(await noticesTo(seller, 'AGENT_RELISTED')).toHaveLength(1)
  })

  test('takes the agents that its owner makes meanwhile out of lists with it, and back', async () => {
    seller = await world.newOwner({ kycStatus: 'VERIFIED', kycFeePaid: true })
    agent = await world.newAgent(seller)
    const [first = ''] = await paidJobs(3)
    await pass(72 * HOUR)
    const younger = {
      name: 'Solidity Swan',
      description: 'Reads contracts line by line.',
      category: 'security',
      hourlyRateUsdc: '25000000',
    }
    // Makes room for another: the free plan runs one.
    expect((await calls.send(seller, `/api/agents/${agent.wallet}/pause`)).statusCode).toBe(200)
    const made = await calls.send(seller, '/api/agents', younger)
    expect(made.statusCode).toBe(201)
    await world.engine.runUntilIdle()
    const listing = async () => {
      const shown = await calls.get(seller, `/api/agents/${made.json().data.walletAddress}`)
      return shown.json().data.agent.listing
    }
    expect(await listing()).toEqual({ visible: false, reasons: ['UNDELIVERED_JOBS'] })
    await refund(first)
    expect(await listing()).toEqual({ visible: true, reasons: [] })
  })

  test('stays unlisted however long it waits', async () => {
    await paidJobs(3)
    await pass(72 * HOUR)
    await pass(60 * 24 * HOUR)
    expect((await marksOf()).withheld).toBe(true)
  })

  test('a short deadline of the client’s gives rights, and is not held against the agent before its own time', async () => {
    const jobId = await paidJob({ deadlineHours: 1 })
    await pass(2 * HOUR)
    expect(await calls.jobOf(client, jobId)).toMatchObject({ overdue: true })
    expect((await marksOf()).jobs).toBe(0)
    await calls.act(client, jobId, 'cancel')
    await pass(70 * HOUR)
    expect((await marksOf()).jobs).toBe(1)
  })

  test('nor in its rates: a job that was called off and refunded before says nothing', async () => {
    const record = async () => {
      await world.engine.runUntilIdle()
      await world.tick('scores')
      return (await calls.get(client, `/api/agents/${agent.wallet}/reputation`)).json().data.delivery
    }
    const hasty = { serviceId: SERVICE, deadlineHours: 1 }
    const [delivered, refunded, kept] = [await paidJob(hasty), await paidJob(hasty), await paidJob(hasty)]
    await pass(2 * HOUR)
    await calls.act(seller, delivered, 'deliver', { content: 'Here it is.' })
    for (const jobId of [refunded, kept]) await calls.act(client, jobId, 'cancel')
    await refund(refunded)
    const good = { deliveryRate: 1, deliverySample: 1, onTimeRate: 1, onTimeSample: 1 }
    expect(await record()).toMatchObject(good)
    await pass(5 * HOUR)
    await calls.act(client, kept, 'review', { rating: 1 })
    expect(await record()).toMatchObject({
      deliveryRate: 0.5,
      deliverySample: 2,
      onTimeRate: 0.5,
      onTimeSample: 2,
    })
  })

  test('jobs below 0.10 USDC, and jobs of its own owner, are not held against it', async () => {
    await paidJob({}, { price: 99_999n })
    await paidJob({}, { by: seller })
    await pass(72 * HOUR)
    expect((await marksOf()).jobs).toBe(0)
    await paidJob({}, { price: 100_000n })
    await pass(72 * HOUR)
    expect((await marksOf()).jobs).toBe(1)
  })

  test('several that are delivered at the same time are all taken off', async () => {
    const jobs = await paidJobs(4)
    await pass(72 * HOUR)
    expect((await marksOf()).jobs).toBe(4)
    const delivered = await Promise.all(
      jobs.map((jobId) => calls.act(seller, jobId, 'deliver', { content: 'Late.' })),
    )
    expect(delivered.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect(await marksOf()).toEqual({ jobs: 0, withheld: false, listed: true })
  })
})
