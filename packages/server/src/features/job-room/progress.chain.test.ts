import { MAX_PROGRESS_PER_JOB, MAX_PROGRESS_PER_MINUTE } from '@agent-marketplace/contract'
import { PROGRESS_STEP_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { sinceNow } from '../../testing/since.ts'
import type { JobCalls } from '../jobs/testing/job-calls.ts'
import { startDeal } from '../jobs/testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from '../jobs/testing/start-jobs.ts'
import { openEventStream } from '../notifications/testing/open-event-stream.ts'

interface Page {
  data: { step: string }[]
  nextCursor: string | null
}

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let stranger: TestOwner
let admin: TestOwner
let agent: TestAgent
let jobId: string

beforeAll(async () => {
  ;({ world, calls, client, seller, stranger, agent } = await startDeal())
  admin = await world.newAdmin()
  jobId = await calls.hireAndFund(client, agent)
})
afterAll(() => world.close())

const pathOf = (id = jobId) => `/api/jobs/${id}/progress`
const report = (owner: TestOwner, body: object, id = jobId, headers: Record<string, string> = {}) =>
  calls.send(owner, pathOf(id), body, headers)
const list = (owner: TestOwner, query = '', id = jobId) => calls.get(owner, `${pathOf(id)}${query}`)
const count = async (id: string) =>
  (await world.db.one<{ count: bigint }>(sql`select count(*) from job_progress where job_id = ${id}`)).count

describe('reporting', () => {
  test('keeps what was reported, for both parties, without touching the job', async () => {
    const before = await calls.jobOf(client, jobId)
    const createdAt = sinceNow(world.clock)
    const first = await report(seller, { step: ' Reading ' })
    expect([first.statusCode, first.json().data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^c[0-9a-z]{24}$/),
        step: 'Reading',
        percent: null,
        note: null,
        createdAt,
      },
    ])
    const second = await report(seller, { step: 'Matching', percent: 40, note: '482 of 1,204.' })
    expect(second.json().data).toMatchObject({ step: 'Matching', percent: 40, note: '482 of 1,204.' })
    for (const party of [client, seller]) {
      const listed = await list(party)
      expect(listed.statusCode).toBe(200)
      expect(listed.json()).toEqual({ data: [first.json().data, second.json().data], nextCursor: null })
    }
    expect(await calls.jobOf(client, jobId)).toEqual(before)
  })

  test('with an Idempotency-Key is kept once', async () => {
    const id = await calls.hireAndFund(client, agent)
    const key = { 'idempotency-key': 'the-same-report' }
    const [first, second] = [
      await report(seller, { step: 'Once' }, id, key),
      await report(seller, { step: 'Once' }, id, key),
    ]
    expect(second.json()).toEqual(first.json())
    expect(await count(id)).toBe(1n)
  })

  test.each([
    [{}],
    [{ step: ' ' }],
    [{ step: 'x'.repeat(PROGRESS_STEP_MAX_LENGTH + 1) }],
    [{ step: 'x', percent: 101 }],
    [{ step: 'x', percent: -1 }],
    [{ step: 'x', percent: 1.5 }],
    [{ step: 'x', note: 'x'.repeat(2_001) }],
  ])('400: %j', async (body) => {
    expect((await report(seller, body)).statusCode).toBe(400)
  })

  test('is for the seller alone: 401, 403, 404', async () => {
    const nobody = await world.http.inject({ method: 'POST', url: pathOf(), payload: { step: 'x' } })
    const responses = [
      nobody,
      await report(client, { step: 'x' }),
      await report(admin, { step: 'x' }),
      await report(stranger, { step: 'x' }),
      await report(seller, { step: 'x' }, 'cnosuchjobatall'),
    ]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([401, 403, 403, 404, 404])
  })

  test('409 before the payment and after the work', async () => {
    const { jobId: unpaid } = await calls.hire(client, agent, '5000000')
    const early = await report(seller, { step: 'x' }, unpaid)
    expect([early.statusCode, early.json().error]).toEqual([
      409,
      expect.objectContaining({
        code: 'INVALID_STATE',
        details: { status: 'PENDING', allowed: ['IN_PROGRESS'] },
      }),
    ])
    const id = await calls.hireAndFund(client, agent)
    expect((await calls.jobOf(seller, id)).allowedActions).toContain('REPORT_PROGRESS')
    expect((await calls.jobOf(client, id)).allowedActions).not.toContain('REPORT_PROGRESS')
    await world.whileWorking(calls.act(seller, id, 'deliver', { content: 'Done.' }))
    expect((await report(seller, { step: 'x' }, id)).statusCode).toBe(409)
    expect((await calls.jobOf(seller, id)).allowedActions).not.toContain('REPORT_PROGRESS')
    expect((await list(client, '', id)).json().data).toEqual([])
  })

  test('is limited by the minute, and in all', async () => {
    const id = await calls.hireAndFund(client, agent)
    const reports = await Promise.all(
      Array.from({ length: MAX_PROGRESS_PER_MINUTE + 1 }, (_, index) =>
        report(seller, { step: `Step ${index}` }, id),
      ),
    )
    const refused = reports.filter(({ statusCode }) => statusCode !== 201)
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([429])
    expect(refused[0]?.json().error).toMatchObject({ details: { retryAfterSeconds: expect.any(Number) } })
    await world.advance(61)
    expect((await report(seller, { step: 'A minute later' }, id)).statusCode).toBe(201)

    await world.db.run(sql`
      insert into job_progress (id, job_id, step, created_at)
      select 'filler' || n, ${id}, 'x', to_timestamp(0)
      from generate_series(1, ${MAX_PROGRESS_PER_JOB - MAX_PROGRESS_PER_MINUTE - 1}) n`)
    const full = await report(seller, { step: 'One too many' }, id)
    expect([full.statusCode, full.json().error.code]).toEqual([409, 'CONFLICT'])
  })
})

describe('reading', () => {
  test('goes back page by page, each in order of time', async () => {
    const id = await calls.hireAndFund(client, agent)
    for (const step of ['1', '2', '3', '4', '5']) await report(seller, { step }, id)
    const steps: string[][] = []
    let query: string | undefined = '?limit=2'
    while (query !== undefined) {
      const page: Page = (await list(client, query, id)).json()
      steps.push(page.data.map(({ step }) => step))
      query = page.nextCursor === null ? undefined : `?limit=2&cursor=${page.nextCursor}`
    }
    expect(steps).toEqual([['4', '5'], ['2', '3'], ['1']])
    const { nextCursor } = (await list(client, '?limit=2', id)).json()
    expect((await list(client, `?cursor=${nextCursor}`)).statusCode).toBe(400)
  })

  test('is for the parties, and for admins once there is a dispute', async () => {
    const id = await calls.hireAndFund(client, agent)
    await report(seller, { step: 'Reading' }, id)
    expect((await list(stranger, '', id)).statusCode).toBe(404)
    expect((await list(admin, '', id)).statusCode).toBe(404)
    expect((await world.http.inject({ url: pathOf(id) })).statusCode).toBe(401)
    await calls.act(client, id, 'dispute', { reason: 'Nothing came.' })
    expect((await list(admin, '', id)).json().data).toMatchObject([{ step: 'Reading' }])
    expect((await list(stranger, '', id)).statusCode).toBe(404)
  })
})

test('it is streamed to both parties, in nobody’s feed, and sent to the client’s webhooks alone', async () => {
  const id = await calls.hireAndFund(client, agent)
  for (const owner of [client, seller]) {
    const hook = await calls.send(owner, '/api/webhooks', { url: 'https://example.com/hook', events: [] })
    expect(hook.statusCode, hook.body).toBe(201)
  }
  const url = await world.http.listen({ port: 0, host: '127.0.0.1' })
  const feedOf = async (owner: TestOwner) => (await calls.get(owner, '/api/notifications')).json().data
  const streams = await Promise.all(
    [client, seller].map(({ headers }) =>
      openEventStream(`${url}/api/notifications/stream`, {
        token: headers.authorization.replace('Bearer ', ''),
      }),
    ),
  )
  const before = await Promise.all([client, seller].map(feedOf))
  await report(seller, { step: 'Matching', percent: 40 }, id)
  const events = await Promise.all(streams.map((stream) => stream.next()))
  expect(events.map(({ data }) => data)).toMatchObject(
    Array(2).fill({
      type: 'JOB_PROGRESS',
      message: '“Reconcile October”: Matching, 40%.',
      link: `/jobs/${id}`,
      read: true,
    }),
  )
  for (const stream of streams) stream.leave()
  for (const [index, owner] of [client, seller].entries()) {
    // Only the place in the stream has moved.
    expect(await feedOf(owner)).toEqual({ ...before[index], lastEventId: events[index]?.id })
  }
  const sent = await world.db.rows(sql`
    select webhooks.owner_id from webhook_deliveries
    join webhooks on webhooks.id = webhook_deliveries.webhook_id where event_type = 'job.progress'`)
  expect(sent).toEqual([{ ownerId: client.ownerId }])
})

test('somebody who hired their own agent is notified once', async () => {
  const id = await calls.hireAndFund(seller, agent)
  await report(seller, { step: 'Reading' }, id)
  const notices = await world.notificationsOf(seller.ownerId)
  expect(notices.filter(({ type }) => type === 'JOB_PROGRESS').length).toBeGreaterThan(0)
  const ofJob = await world.db.rows(
    sql`select 1 from notifications where link = ${`/jobs/${id}`} and type = 'JOB_PROGRESS'`,
  )
  expect(ofJob).toHaveLength(1)
})
