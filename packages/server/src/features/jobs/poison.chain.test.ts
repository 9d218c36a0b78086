import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { JobCalls } from './testing/job-calls.ts'
import { startDeal } from './testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from './testing/start-jobs.ts'

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

async function underReview(): Promise<string> {
  const jobId = await calls.hireAndFund(client, agent)
  await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
  await world.engine.runUntilIdle()
  return jobId
}

test('a job that cannot be released keeps the money of no other one back', async () => {
  const [broken, whole] = [await underReview(), await underReview()]
  await world.db.run(sql`update jobs set title = 'Broken' where id = ${broken}`)
  await world.db.run(sql`
    create function refuse_change() returns trigger language plpgsql as $$ begin raise 'no change is possible'; end $$`)
  await world.db.run(sql`
    create trigger refused before update on jobs for each row when (old.title = 'Broken') execute function refuse_change()`)
  await world.advance(8 * DAY)
  await world.engine.runUntilIdle()
  await expect(world.tick('jobs-review')).rejects.toThrow('no change is possible')
  await world.engine.runUntilIdle()
  expect((await calls.jobOf(client, whole)).status).toBe('COMPLETED')

  await world.db.run(sql`drop trigger refused on jobs`)
  await world.tick('jobs-review')
  await world.engine.runUntilIdle()
  expect((await calls.jobOf(client, broken)).status).toBe('COMPLETED')
  expect(await world.breaches()).toEqual([])
})
