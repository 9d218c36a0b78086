import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { createJobCalls, type JobCalls } from '../testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../testing/start-jobs.ts'

/** Hires that come at the same time share their commits, and nobody notices. */

let world: TestJobs
let calls: JobCalls
let clients: TestOwner[]
let agents: TestAgent[]

beforeAll(async () => {
  world = await startJobs()
  calls = createJobCalls(world)
  clients = await Promise.all(Array.from({ length: 10 }, () => world.newOwner()))
  const sellers = await Promise.all(Array.from({ length: 5 }, () => world.newOwner()))
  agents = await Promise.all(sellers.map((seller) => world.newAgent(seller)))
})
afterAll(() => world.close())

const at = <T>(list: readonly T[], index: number): T => {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('the list is empty')
  return item
}

function hire(index: number, more: object = {}, headers: Record<string, string> = {}) {
  const body = { agentId: at(agents, index).id, title: `Job ${index}`, description: 'All of it.' }
  const agreedPrice = index % 2 === 0 ? '5000000' : '150000000'
  return calls.send(at(clients, index), '/api/jobs', { ...body, agreedPrice, ...more }, headers)
}

const all = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

const writtenFor = (jobIds: readonly string[]) =>
  world.db.one<Record<'jobs' | 'commits' | 'events', bigint>>(sql`
    select (select count(*) from jobs where id = any(${jobIds})) as jobs,
      (select count(distinct xmin::text) from jobs where id = any(${jobIds})) as commits,
      (select count(*) from job_events where job_id = any(${jobIds}) and type = 'JOB_CREATED') as events`)

/** All notifications to sellers so far, single or collapsed. */
async function countNotices(): Promise<bigint> {
  const { count } = await world.db.one<{ count: bigint }>(
    sql`select count(*) + coalesce(sum(repeats), 0) as count from notifications
      where type = 'JOB_CREATED' and not is_folded`,
  )
  return count
}

test('a hundred at once: each its own job, in few commits', async () => {
  const responses = await all(100, (index) => hire(index))
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([201]))
  const jobIds = responses.map((response) => response.json().data.jobId as string)
  const { commits, ...written } = await writtenFor(jobIds)
  expect(written).toEqual({ jobs: 100n, events: 100n })
  expect(await countNotices()).toBe(100n)
  expect(commits).toBeLessThan(25n)
  for (const [index, jobId] of [...jobIds.entries()].slice(0, 10)) {
    expect(await calls.jobOf(at(clients, index), jobId)).toMatchObject({
      title: `Job ${index}`,
      agentId: at(agents, index).id,
      clientId: at(clients, index).ownerId,
      paymentMethod: index % 2 === 0 ? 'X402' : 'ESCROW',
    })
  }
})

test('no statement is repeated for each hire of a batch', async () => {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  await all(100, (index) => hire(index))
  const texts = sent.mock.calls.map(([query]) => (Object(query) as { text: string }).text)
  sent.mockRestore()
  const counts = [...Map.groupBy(texts, (text) => text).values()].map(({ length }) => length)
  expect(counts.length).toBeGreaterThan(5)
  expect(Math.max(...counts)).toBeLessThan(25)
})

test('what is refused is refused by itself', async () => {
  const paused = await world.newAgent(await world.newOwner(), { pausedBy: 'OWNER' })
  const given = [
    {},
    { agentId: paused.id },
    { agentId: 'cmi0a1b2c3d4e5f6g7h8i9j0k' },
    { deadline: '2020-01-01T00:00:00.000Z' },
    { attachments: ['ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'] },
  ]
  const noticesBefore = await countNotices()
  const responses = await all(50, (index) => hire(index, at(given, index)))
  const codes = responses.map((response) => [response.statusCode, response.json().error?.code])
  const expected = [
    [201, undefined],
    [409, 'INVALID_STATE'],
    [404, 'NOT_FOUND'],
    [400, 'VALIDATION_ERROR'],
    [201, undefined],
  ]
  expect(codes).toEqual(codes.map((_code, index) => at(expected, index)))
  const jobIds = responses.flatMap((response) => response.json().data?.jobId ?? [])
  expect(await writtenFor(jobIds)).toMatchObject({ jobs: 20n, events: 20n })
  expect((await countNotices()) - noticesBefore).toBe(20n)
})

test('each keeps its response under its own Idempotency-Key', async () => {
  const keyed = (index: number, more: object = {}) =>
    hire(index, more, { 'idempotency-key': `at-once-${index}` })
  const first = await all(40, (index) => keyed(index))
  const [again, others] = await Promise.all([
    all(40, (index) => keyed(index)),
    all(40, (index) => keyed(index, { title: 'Other' })),
  ])
  expect(again.map(({ body }) => JSON.parse(body).data.jobId)).toEqual(
    first.map(({ body }) => JSON.parse(body).data.jobId),
  )
  for (const response of again) {
    expect([response.statusCode, response.headers['idempotent-replayed']]).toEqual([201, 'true'])
  }
  for (const response of others) {
    expect([response.statusCode, response.json().error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  }
})

test('one key of two owners makes two jobs', async () => {
  const responses = await all(2, (index) => hire(index, {}, { 'idempotency-key': 'the-same' }))
  expect(new Set(responses.map((response) => response.json().data.jobId)).size).toBe(2)
})

test('a refused hire leaves its key free', async () => {
  const agent = await world.newAgent(await world.newOwner(), { pausedBy: 'OWNER' })
  const ask = () => hire(1, { agentId: agent.id }, { 'idempotency-key': 'later' })
  const [refused] = await Promise.all([ask(), all(20, (index) => hire(index))])
  expect(refused.statusCode).toBe(409)
  await world.db.run(sql`update agents set paused_by = null where id = ${agent.id}`)
  const granted = await ask()
  expect([granted.statusCode, granted.headers['idempotent-replayed']]).toEqual([201, undefined])
})
