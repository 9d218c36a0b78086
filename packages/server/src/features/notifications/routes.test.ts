import { formMediaTypes } from '@agent-marketplace/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StartedFeed, startFeed, told } from './testing/start-feed.ts'

let feature: StartedFeed
beforeAll(async () => {
  feature = await startFeed()
})
afterAll(() => feature.close())

type Headers = { authorization: string }

interface CallOptions {
  accept?: string
  key?: string
}

async function call(
  method: 'GET' | 'POST',
  path: string,
  { authorization }: Headers,
  options: CallOptions = {},
) {
  const response = await feature.http.inject({
    method,
    url: `/api/notifications${path}`,
    headers: {
      authorization,
      ...(options.accept && { accept: options.accept }),
      ...(options.key && { 'idempotency-key': options.key }),
    },
  })
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}

const titlesOf = (body: { data: { notifications: { title: string }[] } }) =>
  body.data.notifications.map((notification) => notification.title)

describe.each([
  ['plain', 'application/json', 'application/json; charset=utf-8'],
  ['form A', formMediaTypes.a, `${formMediaTypes.a}; charset=utf-8`],
  ['form B', formMediaTypes.b, `${formMediaTypes.b}; charset=utf-8`],
])('%s', (_name, accept, contentType) => {
  test('lists newest first, marks one and all as read', async () => {
    const { ownerId, headers } = await feature.newOwner()
    await feature.tell(ownerId, 'first', 'second', 'third')

    const listed = await call('GET', '', headers, { accept })
    expect(listed.status).toBe(200)
    expect(listed.headers['content-type']).toBe(contentType)
    expect(titlesOf(listed.body)).toEqual(['third', 'second', 'first'])
    expect(listed.body.data).toMatchObject({ unreadCount: 3, total: 3 })
    const [newest] = listed.body.data.notifications
    expect(newest).toEqual({
      id: expect.stringMatching(/^c[0-9a-z]{24}$/),
      type: 'SYSTEM_ALERT',
      title: 'third',
      message: 'About third.',
      read: false,
      createdAt: '2026-11-15T12:00:00.000Z',
      link: null,
    })

    const marked = await call('POST', `/${newest.id}/read`, headers, { accept })
    expect(marked.status).toBe(200)
    expect(marked.body).toEqual({ data: { notification: { ...newest, read: true }, unreadCount: 2 } })
    expect((await call('POST', `/${newest.id}/read`, headers, { accept })).body).toEqual(marked.body)

    const unread = await call('GET', '?unreadOnly=true', headers, { accept })
    expect(titlesOf(unread.body)).toEqual(['second', 'first'])
    expect(unread.body.data).toMatchObject({ unreadCount: 2, total: 2 })
    expect((await call('GET', '', headers, { accept })).body.data).toMatchObject({ unreadCount: 2, total: 3 })

    const all = await call('POST', '/read-all', headers, { accept })
    expect(all.body).toEqual({ data: { markedCount: 2, unreadCount: 0 } })
    const after = await call('GET', '?unreadOnly=true', headers, { accept })
    expect(after.body).toEqual({
      data: { notifications: [], unreadCount: 0, total: 0, lastEventId: newest.id },
    })
  })
})

test('pages by limit and offset; the counts do not follow the page', async () => {
  const { ownerId, headers } = await feature.newOwner()
  await feature.tell(ownerId, ...Array.from({ length: 25 }, (_, index) => `n${index}`))
  const byDefault = await call('GET', '', headers)
  expect(titlesOf(byDefault.body)).toHaveLength(20)
  const last = await call('GET', '?limit=10&offset=20', headers)
  expect(titlesOf(last.body)).toEqual(['n4', 'n3', 'n2', 'n1', 'n0'])
  expect(last.body.data).toMatchObject({ unreadCount: 25, total: 25 })
  expect((await call('GET', '?offset=1000', headers)).body.data).toMatchObject({
    notifications: [],
    total: 25,
  })
})

test('who has opened a page has read what is about it, and nothing else', async () => {
  const { ownerId, headers } = await feature.newOwner()
  await feature.tell(ownerId, 'alert')
  await feature.db.transaction((tx) =>
    feature.notify(
      tx,
      { ...told(ownerId, 'paid'), link: '/jobs/c1' },
      { ...told(ownerId, 'other'), link: '/jobs/c12' },
    ),
  )
  const read = await call('POST', `/read-all?link=${encodeURIComponent('/jobs/c1')}`, headers)
  expect(read.body).toEqual({ data: { markedCount: 1, unreadCount: 2 } })
  expect(titlesOf((await call('GET', '?unreadOnly=true', headers)).body)).toEqual(['other', 'alert'])
})

test('an Idempotency-Key replays the stored response', async () => {
  const { ownerId, headers } = await feature.newOwner()
  await feature.tell(ownerId, 'one')
  const first = await call('POST', '/read-all', headers, { key: 'k-1' })
  await feature.tell(ownerId, 'two')
  const again = await call('POST', '/read-all', headers, { key: 'k-1' })
  expect(again.body).toEqual(first.body)
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect((await call('GET', '', headers)).body.data.unreadCount).toBe(1)
})

describe('between owners', () => {
  test('each sees and marks only its own', async () => {
    const mine = await feature.newOwner()
    const theirs = await feature.newOwner()
    await feature.tell(mine.ownerId, 'mine')
    await feature.tell(theirs.ownerId, 'theirs')
    const [own] = (await call('GET', '', mine.headers)).body.data.notifications
    expect(own.title).toBe('mine')

    const foreign = await call('POST', `/${own.id}/read`, theirs.headers)
    const unknown = await call('POST', '/cunknown/read', theirs.headers)
    expect(foreign.status).toBe(404)
    expect(foreign.body.error).toMatchObject({ code: 'NOT_FOUND', message: unknown.body.error.message })

    await call('POST', '/read-all', theirs.headers)
    expect((await call('GET', '', mine.headers)).body.data).toMatchObject({ unreadCount: 1, total: 1 })
  })
})

describe('refusals', () => {
  test.each(['?limit=0', '?limit=101', '?offset=-1', '?unreadOnly=maybe', '?limit=1&limit=2'])(
    '400 for %s',
    async (query) => {
      const { headers } = await feature.newOwner()
      const { status, body } = await call('GET', query, headers)
      expect(status).toBe(400)
      expect(body.error.code).toBe('VALIDATION_ERROR')
    },
  )

  test('401 without a credential, on every path', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/stream'],
      ['POST', '/read-all'],
      ['POST', '/cid/read'],
    ] as const) {
      expect((await call(method, path, { authorization: 'Bearer not-a-token' })).status).toBe(401)
    }
  })
})
