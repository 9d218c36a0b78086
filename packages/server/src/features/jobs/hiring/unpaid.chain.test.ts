import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { createJobCalls, type JobCalls } from '../testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../testing/start-jobs.ts'

/** What a buyer can cause without paying. */

let world: TestJobs
let calls: JobCalls
let seller: TestOwner
let agent: TestAgent

beforeAll(async () => {
  world = await startJobs({ environment: { MAX_UNPAID_JOBS: '8', MAX_UNPAID_JOBS_PER_SELLER: '6' } })
  calls = createJobCalls(world)
  seller = await world.newOwner()
  agent = await world.newAgent(seller)
})
afterAll(() => world.close())

const order = ({ id: agentId }: TestAgent) => ({
  agentId,
  title: 'Reconcile October',
  description: 'All of it.',
  agreedPrice: '6000000000',
})

const told = (owner: TestOwner) =>
  world.db.rows<{ type: string; repeats: number }>(
    sql`select type, repeats from notifications where owner_id = ${owner.ownerId} and not is_folded order by seq`,
  )

test('no flag for the AML queue: it is raised once the money is there', async () => {
  const buyer = await world.newOwner()
  const { jobId: unpaid } = await calls.hire(buyer, agent, '6000000000')
  expect(await world.amlFlags()).toEqual([])
  await calls.act(buyer, unpaid, 'cancel')
  const jobId = await calls.hireAndFund(buyer, agent, '6000000000')
  expect(await world.amlFlags()).toEqual([{ jobId, ownerId: buyer.ownerId, amountMicro: 6_000_000_000n }])
})

test('no more than a few open jobs with one seller, and in all', async () => {
  const [buyer, other] = [await world.newOwner(), await world.newAgent(await world.newOwner())]
  const responses = []
  for (let n = 0; n < 7; n += 1) responses.push(await calls.send(buyer, '/api/jobs', order(agent)))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201, 201, 201, 409])
  expect(responses[6]?.json().error).toMatchObject({
    code: 'CONFLICT',
    message: 'You have 6 unpaid jobs with this seller, and 6 are the most. Pay or cancel some first.',
    details: { unpaid: 6, limit: 6 },
  })
  await calls.hire(buyer, other, '5000000')
  await calls.hire(buyer, other, '5000000')
  const beyond = await calls.send(buyer, '/api/jobs', order(other))
  expect(beyond.json().error).toMatchObject({ code: 'CONFLICT', details: { unpaid: 8, limit: 8 } })
  // Room comes back with a job that is called off, and others are not held up.
  await calls.act(buyer, responses[0]?.json().data.jobId, 'cancel')
  await calls.hire(buyer, agent, '5000000')
  await calls.hire(await world.newOwner(), agent, '5000000')
})

test('not one more when all of them are requested at the same time', async () => {
  const buyer = await world.newOwner()
  // More than one batch holds, so that several transactions count side by side.
  const responses = await Promise.all(
    Array.from({ length: 80 }, () => calls.send(buyer, '/api/jobs', order(agent))),
  )
  const statuses = responses.map(({ statusCode }) => statusCode).sort()
  expect(statuses).toEqual([...Array(6).fill(201), ...Array(74).fill(409)])
})

test('a seller is notified of the first ones, then of how many more there are', async () => {
  const [buyer, sought] = [await world.newOwner(), await world.newOwner()]
  const wanted = await world.newAgent(sought)
  for (let n = 0; n < 6; n += 1) {
    const { jobId } = await calls.hire(buyer, wanted, '5000000')
    await calls.act(buyer, jobId, 'cancel')
  }
  const notices = await told(sought)
  expect(notices.filter(({ type }) => type === 'JOB_CREATED').map(({ repeats }) => repeats)).toEqual([
    0, 0, 3,
  ])
  expect(notices.filter(({ type }) => type === 'JOB_CANCELLED').map(({ repeats }) => repeats)).toEqual([
    0, 0, 3,
  ])
  // A paid job always gets its own notification.
  await calls.hireAndFund(buyer, wanted)
  expect((await told(sought)).at(-1)).toEqual({ type: 'JOB_FUNDED', repeats: 0 })
})
