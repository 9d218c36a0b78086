import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { JobCalls } from './testing/job-calls.ts'
import { startDeal } from './testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from './testing/start-jobs.ts'

/** What time alone brings about: nothing before its time, and each job by itself. */

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

async function underReview(): Promise<string> {
  const jobId = await calls.hireAndFund(client, agent)
  await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
  await world.engine.runUntilIdle()
  return jobId
}

test('a clock that is days ahead does not end the review window', async () => {
  const jobId = await underReview()
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

test('a job that cannot be released keeps the money of no other one back', async () => {
  const [broken, whole] = [await underReview(), await underReview()]
  await world.db.run(sql`update jobs set title = 'Broken' where id = ${broken}`)
  await world.db.run(sql`
    create function refuse_change() returns trigger language plpgsql as $$ begin raise 'no change is possible'; end $$`)
  await world.db.run(sql`
    create trigger refused before update on jobs for each row when (old.title = 'Broken') execute function refuse_change()`)
  await world.advance(8 * DAY)
  await world.engine.runUntilIdle()
  await expect(world.tick('jobs-review')).rejects.toMatchObject({
    message: `${broken} could not be dealt with`,
    cause: { message: 'no change is possible' },
  })
  await world.engine.runUntilIdle()
  expect((await calls.jobOf(client, whole)).status).toBe('COMPLETED')

  await world.db.run(sql`drop trigger refused on jobs`)
  await world.tick('jobs-review')
  await world.engine.runUntilIdle()
  expect((await calls.jobOf(client, broken)).status).toBe('COMPLETED')
})

test('more broken jobs than fit on a page hold up no other', async () => {
  const { jobId: broken } = await calls.hire(client, agent, '5000000')
  await world.db.run(sql`update jobs set title = 'Broken' where id = ${broken}`)
  await world.db.run(sql`
    insert into jobs select (jsonb_populate_record(jobs, jsonb_build_object('id', 'ccopy' || n))).*
    from jobs, generate_series(1, 200) n where id = ${broken}`)
  const { jobId: whole } = await calls.hire(client, agent, '5000000')
  await world.db.run(sql`
    create trigger refused before update on jobs for each row when (old.title = 'Broken') execute function refuse_change()`)
  await world.advance(8 * DAY)
  await world.engine.runUntilIdle()
  await expect(world.tick('jobs-funding')).rejects.toThrow('201 that are due could not be dealt with')
  expect((await calls.jobOf(client, whole)).status).toBe('CANCELLED')

  await world.db.run(sql`drop trigger refused on jobs`)
  await world.db.run(sql`delete from jobs where id like 'ccopy%'`)
  await world.tick('jobs-funding')
  expect((await calls.jobOf(client, broken)).status).toBe('CANCELLED')
})
