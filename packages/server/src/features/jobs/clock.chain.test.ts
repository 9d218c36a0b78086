import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { JobCalls } from './testing/job-calls.ts'
import { startDeal } from './testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from './testing/start-jobs.ts'

/** A machine whose clock is ahead ends nothing before its time. */

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
  world.setClockAhead(0)
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

const stateOf = async (jobId: string) => {
  const { status, escrowState } = await calls.jobOf(client, jobId)
  return [status, escrowState]
}

async function work(): Promise<void> {
  await world.runTicks()
  await world.engine.runUntilIdle()
}

test('a clock that is days ahead does not end the review window', async () => {
  const jobId = await calls.hireAndFund(client, agent)
  await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
  await world.engine.runUntilIdle()
  world.setClockAhead(8 * DAY)
  await work()
  expect(await stateOf(jobId)).toEqual(['UNDER_REVIEW', 'SUBMITTED'])
  world.setClockAhead(0)
  expect((await calls.act(client, jobId, 'dispute', { reason: 'Half of it.' })).statusCode).toBe(200)
})

test('a clock that is ahead calls off nothing that there is still time to pay for', async () => {
  const { jobId } = await calls.hire(client, agent, '5000000')
  world.setClockAhead(2 * DAY)
  await work()
  expect((await calls.jobOf(client, jobId)).status).toBe('PENDING')
})
