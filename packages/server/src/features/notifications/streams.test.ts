import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { testPrincipal } from '../../testing/test-http.ts'
import { openEventStream, type TestEventStream } from './testing/open-event-stream.ts'
import { type StartedNotifications, startNotifications } from './testing/start-notifications.ts'

const endedSessions = new Set<string>()
let feature: StartedNotifications
beforeAll(async () => {
  feature = await startNotifications({
    isLive: async (principal: Principal) => !endedSessions.has(principal.sessionId),
    replayLimit: 150,
    maxStreamsPerOwner: 3,
    maxWaitingBytes: 64 * 1024,
  })
})
afterAll(() => feature.close())

const open = (token: string, lastEventId?: string) =>
  openEventStream(feature.streamUrl, { token, ...(lastEventId !== undefined && { lastEventId }) })

async function take(stream: TestEventStream, count: number): Promise<string[]> {
  const titles: string[] = []
  while (titles.length < count) titles.push((await stream.next()).data.title)
  return titles
}

async function idOf(ownerId: string, title: string): Promise<string> {
  const row = await feature.db.one<{ id: string }>(
    sql`select id from notifications where owner_id = ${ownerId} and title = ${title}`,
  )
  return row.id
}

const untilNobodyIsConnected = () => expect.poll(feature.streams.size).toBe(0)

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`)

describe('a connected client', () => {
  test('gets what is new, as the list shows it, and nothing old', async () => {
    const { ownerId, token } = await feature.newOwner()
    await feature.tell(ownerId, 'old')
    const stream = await open(token)
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-ratelimit-limit': '100',
    })
    expect(stream.headers['x-request-id']).toMatch(/^req_[0-9a-z]{16}$/)

    await feature.tell(ownerId, 'new')
    const received = await stream.next()
    const listed = await feature.app.inject({
      url: '/api/notifications?limit=1',
      headers: { authorization: `Bearer ${token}` },
    })
    const [newest] = listed.json().data.notifications
    expect(received).toEqual({ id: newest.id, event: 'notification', data: newest })
    stream.leave()
    await untilNobodyIsConnected()
  })

  test('gets its own owner’s only, on each of its connections', async () => {
    const [mine, theirs] = [await feature.newOwner(), await feature.newOwner()]
    const streams = await Promise.all([open(mine.token), open(mine.token), open(theirs.token)])
    await feature.tell(theirs.ownerId, 'theirs')
    await feature.tell(mine.ownerId, 'mine')
    expect(await Promise.all(streams.map((stream) => take(stream, 1)))).toEqual([
      ['mine'],
      ['mine'],
      ['theirs'],
    ])
    for (const stream of streams) stream.leave()
    await untilNobodyIsConnected()
  })

  test('gets every one, in order, while many write at once', async () => {
    const { ownerId, token } = await feature.newOwner()
    const stream = await open(token)
    await Promise.all(numbered(200).map((title) => feature.tell(ownerId, title)))
    const received = await take(stream, 200)
    const { rows } = await feature.notifications.list({ ownerId, unreadOnly: false, limit: 200, offset: 0 })
    expect(received).toEqual(rows.map((row) => row.title).reverse())
    stream.leave()
    await untilNobodyIsConnected()
  })
})

describe('a client that comes back', () => {
  test('first gets what it missed, oldest first, then what is new', async () => {
    const { ownerId, token } = await feature.newOwner()
    await feature.tell(ownerId, 'seen', 'missed 1', 'missed 2')
    const stream = await open(token, await idOf(ownerId, 'seen'))
    await feature.tell(ownerId, 'new')
    expect(await take(stream, 3)).toEqual(['missed 1', 'missed 2', 'new'])
    stream.leave()
    await untilNobodyIsConnected()
  })

  test('may name the last one in the query', async () => {
    const { ownerId, token } = await feature.newOwner()
    await feature.tell(ownerId, 'seen', 'missed')
    const url = `${feature.streamUrl}?lastEventId=${await idOf(ownerId, 'seen')}`
    const stream = await openEventStream(url, { token })
    expect(await take(stream, 1)).toEqual(['missed'])
    stream.leave()
    await untilNobodyIsConnected()
  })

  test('gets the newest of very many', async () => {
    const { ownerId, token } = await feature.newOwner()
    const titles = numbered(170)
    await feature.tell(ownerId, 'seen', ...titles)
    const stream = await open(token, await idOf(ownerId, 'seen'))
    expect(await take(stream, 150)).toEqual(titles.slice(20))
    stream.leave()
    await untilNobodyIsConnected()
  })

  test.each(['unknown', 'foreign', 'nonsense'])(
    'with an id that is %s gets only what is new',
    async (kind) => {
      const [mine, theirs] = [await feature.newOwner(), await feature.newOwner()]
      await feature.tell(theirs.ownerId, 'theirs', 'theirs too')
      await feature.tell(mine.ownerId, 'mine')
      const foreign = await idOf(theirs.ownerId, 'theirs')
      const lastEventId = { unknown: 'cunknown', foreign, nonsense: "'; ÿ --" }[kind]
      const stream = await open(mine.token, lastEventId)
      expect(stream.status).toBe(200)
      await feature.tell(mine.ownerId, 'new')
      expect(await take(stream, 1)).toEqual(['new'])
      stream.leave()
      await untilNobodyIsConnected()
    },
  )

  test('with a NUL in the query is served all the same', async () => {
    const { token } = await feature.newOwner()
    const stream = await openEventStream(`${feature.streamUrl}?lastEventId=%00`, { token })
    expect(stream.status).toBe(200)
    stream.leave()
    await untilNobodyIsConnected()
  })
})

describe('heartbeat', () => {
  test('reaches every client', async () => {
    const { token } = await feature.newOwner()
    const stream = await open(token)
    await feature.streams.beat()
    expect(await stream.nextComment()).toBe(': still here')
    stream.leave()
    await untilNobodyIsConnected()
  })

  test('ends the streams of a session that was revoked, and no other', async () => {
    const [mine, theirs] = [await feature.newOwner(), await feature.newOwner()]
    const [ending, staying] = [await open(mine.token), await open(theirs.token)]
    endedSessions.add(`session of ${mine.ownerId}`)
    await feature.streams.beat()
    await ending.ended
    await feature.tell(theirs.ownerId, 'still here')
    expect(await take(staying, 1)).toEqual(['still here'])
    expect(feature.streams.size()).toBe(1)
    staying.leave()
    await untilNobodyIsConnected()
  })
})

describe('limits', () => {
  test('429 for one stream too many, and room again when one leaves', async () => {
    const { token } = await feature.newOwner()
    const streams = await Promise.all([open(token), open(token), open(token)])
    const refused = await feature.app.inject({
      url: '/api/notifications/stream',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('15')
    expect(refused.json().error.code).toBe('RATE_LIMIT_EXCEEDED')

    streams[0]?.leave()
    await expect.poll(feature.streams.size).toBe(2)
    const again = await open(token)
    expect(again.status).toBe(200)
    for (const stream of [...streams, again]) stream.leave()
    await untilNobodyIsConnected()
  })

  test('HEAD returns the headers and opens nothing', async () => {
    const { token } = await feature.newOwner()
    const response = await feature.app.inject({
      method: 'HEAD',
      url: '/api/notifications/stream',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(feature.streams.size()).toBe(0)
  })

  test('a client that does not read is dropped, and loses nothing when it comes back', async () => {
    const { ownerId, token } = await feature.newOwner()
    await feature.tell(ownerId, 'seen')
    const hanging = await open(token)
    hanging.pause()
    const titles: string[] = []
    // The kernel takes some megabytes before the server notices that nobody reads.
    while (feature.streams.size() > 0 && titles.length < 100) {
      const title = `${'x'.repeat(100_000)} ${titles.length}`
      titles.push(title)
      await feature.tell(ownerId, title)
    }
    expect(feature.streams.size()).toBe(0)
    const back = await open(token, await idOf(ownerId, 'seen'))
    expect(await take(back, titles.length)).toEqual(titles)
    back.leave()
    hanging.leave()
    await untilNobodyIsConnected()
  })
})

describe('room', () => {
  test('is limited per address and in total, for all callers', async () => {
    const small = await startNotifications({ maxStreams: 3, maxStreamsPerAddress: 2 })
    const openOne = async () => openEventStream(small.streamUrl, await small.newOwner())
    const first = [await openOne(), await openOne()]
    const refused = await openOne()
    expect([...first, refused].map(({ status }) => status)).toEqual([200, 200, 429])
    const principal = { ...testPrincipal, ...(await small.newOwner()) }
    const elsewhere = { principal, lastEventId: undefined }
    await small.streams.open({ ...elsewhere, address: '192.0.2.1' })
    await expect(small.streams.open({ ...elsewhere, address: '192.0.2.2' })).rejects.toThrow(
      'Too many streams',
    )
    for (const stream of first) stream.leave()
    await small.close()
  })
})
