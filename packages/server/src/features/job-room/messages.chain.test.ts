import { MAX_MESSAGES_PER_HOUR, MAX_MESSAGES_PER_JOB } from '@agent-marketplace/contract'
import { MAX_MESSAGE_ATTACHMENTS, MESSAGE_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { sinceNow } from '../../testing/since.ts'
import type { JobCalls } from '../jobs/testing/job-calls.ts'
import { startDeal } from '../jobs/testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from '../jobs/testing/start-jobs.ts'
import { openEventStream } from '../notifications/testing/open-event-stream.ts'

const DAY = 24 * 3600

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

const pathOf = (id = jobId) => `/api/jobs/${id}/messages`
const write = (owner: TestOwner, body: object, id = jobId, headers: Record<string, string> = {}) =>
  calls.send(owner, pathOf(id), body, headers)
const list = (owner: TestOwner, query = '', id = jobId) => calls.get(owner, `${pathOf(id)}${query}`)
const textsOf = async (owner: TestOwner, id = jobId): Promise<string[]> =>
  (await list(owner, '', id)).json().data.map(({ text }: { text: string }) => text)
const store = async (owner: TestOwner, content: string): Promise<string> =>
  (await calls.send(owner, '/api/files', { content })).json().data.uri
const download = async (owner: TestOwner, uri: string) =>
  (await calls.get(owner, `/api/files/${uri.replace('ipfs://', '')}`)).statusCode

describe('writing', () => {
  test('both parties write, and both read it in order, as it was written', async () => {
    const createdAt = sinceNow(world.clock)
    const question = await write(seller, { text: ' Which **month**? <script>alert(1)</script> ' })
    expect([question.statusCode, question.json().data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^c[0-9a-z]{24}$/),
        from: 'SELLER',
        text: 'Which **month**? <script>alert(1)</script>',
        attachments: [],
        files: [],
        createdAt,
      },
    ])
    const reply = await write(client, { text: 'October.' })
    expect(reply.json().data).toMatchObject({ from: 'CLIENT', text: 'October.' })
    for (const party of [client, seller]) {
      expect((await list(party)).json()).toEqual({
        data: [question.json().data, reply.json().data],
        nextCursor: null,
      })
    }
  })

  test('files alone are a message', async () => {
    const id = await calls.hireAndFund(client, agent)
    const brought = await world.http.inject({
      method: 'PUT',
      url: `/api/jobs/${id}/uploads/October.csv`,
      headers: client.headers,
      payload: 'a,b',
    })
    const sent = await write(client, { files: [brought.json().data.id] }, id)
    expect([sent.statusCode, sent.json().data]).toMatchObject([
      201,
      { text: '', files: [{ name: 'October.csv' }] },
    ])
    const notice = await world.db.one(sql`
      select message from notifications where link = ${`/jobs/${id}`} and type = 'JOB_MESSAGE'`)
    expect(notice).toMatchObject({ message: expect.stringMatching(/: 1 file\.$/) })
    const refused = await write(client, { files: [] }, id)
    expect([refused.statusCode, refused.json().error.details.issues]).toEqual([
      400,
      [{ path: '/text', message: 'is required where no file is sent' }],
    ])
  })

  test('with an Idempotency-Key is kept once, and notified once', async () => {
    const id = await calls.hireAndFund(client, agent)
    const key = { 'idempotency-key': 'the-same-message' }
    const first = await write(client, { text: 'Once' }, id, key)
    expect((await write(client, { text: 'Once' }, id, key)).json()).toEqual(first.json())
    expect((await write(client, { text: 'Other' }, id, key)).statusCode).toBe(409)
    expect(await textsOf(client, id)).toEqual(['Once'])
    const notices = await world.db.rows(
      sql`select 1 from notifications where link = ${`/jobs/${id}`} and type = 'JOB_MESSAGE'`,
    )
    expect(notices).toHaveLength(1)
  })

  test.each([
    [{}],
    [{ text: ' \n ' }],
    [{ text: 'x'.repeat(MESSAGE_MAX_LENGTH + 1) }],
    [{ text: 'x', attachments: ['https://example.com/pixel.png'] }],
    [{ text: 'x', attachments: ['ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'] }],
    [
      {
        text: 'x',
        attachments: Array.from({ length: MAX_MESSAGE_ATTACHMENTS + 1 }, (_, n) => `ipfs://bafkrei${n}`),
      },
    ],
  ])('400: %#', async (body) => {
    expect((await write(client, body)).statusCode).toBe(400)
  })

  test('is for the parties alone: 401, 403, 404', async () => {
    const nobody = await world.http.inject({ method: 'POST', url: pathOf(), payload: { text: 'x' } })
    const responses = [
      nobody,
      await write(admin, { text: 'x' }),
      await write(stranger, { text: 'x' }),
      await write(client, { text: 'x' }, 'cnosuchjobatall'),
    ]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([401, 403, 404, 404])
  })

  test('a suspended party still finishes what runs', async () => {
    const suspended = await world.newOwner()
    const id = await calls.hireAndFund(suspended, agent)
    await world.db.run(sql`update owners set account_status = 'SUSPENDED' where id = ${suspended.ownerId}`)
    expect((await write(suspended, { text: 'Please finish.' }, id)).statusCode).toBe(201)
  })

  test('409 before the payment, and for a job that was never paid', async () => {
    const { jobId: unpaid } = await calls.hire(client, agent, '150000000')
    for (const party of [client, seller]) {
      const refused = await write(party, { text: 'Hello?' }, unpaid)
      expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'INVALID_STATE'])
      expect((await calls.jobOf(party, unpaid)).allowedActions).not.toContain('MESSAGE')
    }
    await calls.act(client, unpaid, 'cancel')
    const refused = await write(client, { text: 'Hello?' }, unpaid)
    expect(refused.json().error).toMatchObject({
      code: 'INVALID_STATE',
      message: 'This job was never paid.',
    })
  })

  test('goes on during a dispute and until 30 days after the end; what was written stays', async () => {
    const id = await calls.hireAndFund(client, agent)
    await calls.act(client, id, 'dispute', { reason: 'Nothing came.' })
    expect((await write(client, { text: 'In dispute' }, id)).statusCode).toBe(201)
    await world.whileWorking(calls.act(seller, id, 'refund'))
    await world.engine.runUntilIdle()
    await world.advance(29 * DAY)
    expect((await calls.jobOf(seller, id)).allowedActions).toContain('MESSAGE')
    expect((await write(seller, { text: 'A month later' }, id)).statusCode).toBe(201)
    await world.advance(2 * DAY)
    expect((await write(seller, { text: 'Too late' }, id)).json().error.code).toBe('INVALID_STATE')
    expect((await calls.jobOf(seller, id)).allowedActions).not.toContain('MESSAGE')
    expect(await textsOf(client, id)).toEqual(['In dispute', 'A month later'])
  })

  test('is limited for each party by the hour, and in all', async () => {
    const id = await calls.hireAndFund(client, agent)
    await world.db.run(sql`
      insert into job_messages (id, job_id, sender_id, sent_by, text, attachments, created_at)
      select 'recent' || n, ${id}, ${client.ownerId}, 'CLIENT', 'x', '{}', ${world.clock.now()}
      from generate_series(1, ${MAX_MESSAGES_PER_HOUR - 1}) n`)
    const statuses = await Promise.all([1, 2, 3].map((n) => write(client, { text: `${n}` }, id)))
    expect(statuses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 429, 429])
    expect((await write(seller, { text: 'I may' }, id)).statusCode).toBe(201)
    await world.advance(3601)
    expect((await write(client, { text: 'An hour later' }, id)).statusCode).toBe(201)
    await world.db.run(sql`
      insert into job_messages (id, job_id, sender_id, sent_by, text, attachments, created_at)
      select 'old' || n, ${id}, ${client.ownerId}, 'CLIENT', 'x', '{}', to_timestamp(0)
      from generate_series(1, ${MAX_MESSAGES_PER_JOB}) n`)
    const full = await write(client, { text: 'One too many' }, id)
    expect([full.statusCode, full.json().error.code]).toEqual([409, 'CONFLICT'])
    // A party that fills its share keeps nobody else from writing.
    expect((await write(seller, { text: 'I still may' }, id)).statusCode).toBe(201)
  })
})

describe('attachments', () => {
  test('are files of the sender; the other party can read them, strangers cannot', async () => {
    const id = await calls.hireAndFund(client, agent)
    const uri = await store(client, 'The ledger of October.')
    expect(await download(seller, uri)).toBe(404)
    const sent = await write(client, { text: 'Here it is.', attachments: [uri] }, id)
    expect(sent.json().data.attachments).toEqual([uri])
    expect([await download(seller, uri), await download(client, uri)]).toEqual([200, 200])
    expect([await download(stranger, uri), await download(admin, uri)]).toEqual([404, 404])
    await calls.act(client, id, 'dispute', { reason: 'Nothing came.' })
    expect([await download(admin, uri), await download(stranger, uri)]).toEqual([200, 404])
  })

  test('of somebody else, or of another job, cannot be named to read them', async () => {
    const uri = await store(client, 'A secret of the client.')
    const refused = await write(seller, { text: 'Mine!', attachments: [uri] })
    expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(await download(seller, uri)).toBe(404)
    expect(await textsOf(seller)).not.toContain('Mine!')
    // A party of another job of the same client does not get it either.
    const other = await world.newOwner()
    await calls.hireAndFund(client, await world.newAgent(other))
    await write(client, { text: 'For this seller only.', attachments: [uri] })
    expect([await download(seller, uri), await download(other, uri)]).toEqual([200, 404])
  })
})

test('reading is for the parties, for admins once there is a dispute, and goes back page by page', async () => {
  const id = await calls.hireAndFund(client, agent)
  for (const text of ['1', '2', '3']) await write(client, { text }, id)
  expect((await list(stranger, '', id)).statusCode).toBe(404)
  expect((await list(admin, '', id)).statusCode).toBe(404)
  expect((await world.http.inject({ url: pathOf(id) })).statusCode).toBe(401)
  const newest = (await list(seller, '?limit=2', id)).json()
  expect(newest.data).toMatchObject([{ text: '2' }, { text: '3' }])
  const earlier = (await list(seller, `?limit=2&cursor=${newest.nextCursor}`, id)).json()
  expect([earlier.data, earlier.nextCursor]).toMatchObject([[{ text: '1' }], null])
  // The cursor of one list is none of another.
  const foreign = await calls.get(seller, `/api/jobs/${id}/progress?cursor=${newest.nextCursor}`)
  expect(foreign.statusCode).toBe(400)
  await calls.act(client, id, 'dispute', { reason: 'Nothing came.' })
  expect((await list(admin, '', id)).json().data).toHaveLength(3)
})

test('the other side is notified and streamed, ten messages are three in the feed, the sender gets none', async () => {
  const id = await calls.hireAndFund(client, agent)
  const url = await world.http.listen({ port: 0, host: '127.0.0.1' })
  const stream = await openEventStream(`${url}/api/notifications/stream`, {
    token: seller.headers.authorization.replace('Bearer ', ''),
  })
  for (let n = 1; n <= 10; n += 1) await write(client, { text: `Message\n${n} ${'x'.repeat(200)}` }, id)
  const event = await stream.next()
  expect(event.data).toMatchObject({
    type: 'JOB_MESSAGE',
    title: 'Message from the buyer',
    message: `“Reconcile October”: Message 1 ${'x'.repeat(130)}…`,
    link: `/jobs/${id}`,
  })
  stream.leave()
  const feedOf = async (owner: TestOwner): Promise<{ type: string; link: string; message: string }[]> =>
    (await calls.get(owner, '/api/notifications?limit=100')).json().data.notifications
  const ofJob = (await feedOf(seller)).filter(
    ({ type, link }) => type === 'JOB_MESSAGE' && link === `/jobs/${id}`,
  )
  expect(ofJob).toHaveLength(3)
  expect(ofJob[0]?.message).toContain('And 7 more like this.')
  const own = (await feedOf(client)).filter(
    ({ type, link }) => type === 'JOB_MESSAGE' && link === `/jobs/${id}`,
  )
  expect(own).toEqual([])
})
