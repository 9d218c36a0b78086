import { STREAM_START } from '@agent-marketplace/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { uncounted } from '../../testing/uncounted.ts'
import { openEventStream, type TestEventStream } from './testing/open-event-stream.ts'
import { type StartedFeed, startFeed } from './testing/start-feed.ts'

let feature: StartedFeed
beforeAll(async () => {
  feature = await startFeed({
    environment: { RATE_LIMITS: 'on' },
    ports: () => ({ limiter: uncounted }),
    streamLimits: { replayLimit: 150, maxStreamsPerOwner: 3, maxWaitingBytes: 64 * 1024 },
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

const untilNobodyIsConnected = () => expect.poll(feature.countStreams).toBe(0)

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`)

describe('a connected client', () => {
  test('gets what is new, as the list shows it, and nothing old', async () => {
    const { ownerId, token } = await feature.newReader()
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
    const listed = await feature.http.inject({
      url: '/api/notifications?limit=1',
      headers: { authorization: `Bearer ${token}` },
    })
    const [newest] = listed.json().data.notifications
    expect(received).toEqual({ id: newest.id, event: 'notification', data: newest })
    stream.leave()
    await untilNobodyIsConnected()
  })

  test('gets its own owner’s only, on each of its connections', async () => {
    const [mine, theirs] = [await feature.newReader(), await feature.newReader()]
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
    const { ownerId, token } = await feature.newReader()
    const stream = await open(token)
    await Promise.all(numbered(200).map((title) => feature.tell(ownerId, title)))
    const received = await take(stream, 200)
    const rows = await feature.db.rows<{ title: string }>(
      sql`select title from notifications where owner_id = ${ownerId} order by seq`,
    )
    expect(received).toEqual(rows.map((row) => row.title))
    stream.leave()
    await untilNobodyIsConnected()
  })
})

describe('a client that comes back', () => {
  test('first gets what it missed, oldest first, then what is new', async () => {
    const { ownerId, token } = await feature.newReader()
    await feature.tell(ownerId, 'seen', 'missed 1', 'missed 2')
    const stream = await open(token, await idOf(ownerId, 'seen'))
    await feature.tell(ownerId, 'new')
    expect(await take(stream, 3)).toEqual(['missed 1', 'missed 2', 'new'])
    stream.leave()
    await untilNobodyIsConnected()
  })

  test('may name the last one in the query', async () => {
    const { ownerId, token } = await feature.newReader()
    await feature.tell(ownerId, 'seen', 'missed')
    const url = `${feature.streamUrl}?lastEventId=${await idOf(ownerId, 'seen')}`
    const stream = await openEventStream(url, { token })
    expect(await take(stream, 1)).toEqual(['missed'])
    stream.leave()
    await untilNobodyIsConnected()
  })

  test('gets the newest of very many', async () => {
    const { ownerId, token } = await feature.newReader()
    const titles = numbered(170)
    await feature.tell(ownerId, 'seen', ...titles)
    const stream = await open(token, await idOf(ownerId, 'seen'))
    expect(await take(stream, 150)).toEqual(titles.slice(20))
    stream.leave()
    await untilNobodyIsConnected()
  })

  test('who had none yet gets all that came since, and the newest of very many', async () => {
    const [few, many] = [await feature.newReader(), await feature.newReader()]
    await feature.tell(few.ownerId, 'first', 'second')
    await feature.tell(many.ownerId, ...numbered(170))
    for (const [{ token }, titles] of [
      [few, ['first', 'second']],
      [many, numbered(170).slice(20)],
    ] as const) {
      const stream = await open(token, STREAM_START)
      expect(await take(stream, titles.length)).toEqual(titles)
      stream.leave()
    }
    await untilNobodyIsConnected()
  })

  test.each(['unknown', 'foreign', 'nonsense'])(
    'with an id that is %s gets only what is new',
    async (kind) => {
      const [mine, theirs] = [await feature.newReader(), await feature.newReader()]
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
    const { token } = await feature.newReader()
    const stream = await openEventStream(`${feature.streamUrl}?lastEventId=%00`, { token })
    expect(stream.status).toBe(200)
    stream.leave()
    await untilNobodyIsConnected()
  })
})

describe('heartbeat', () => {
  let streamUrl: string
  beforeAll(async () => {
    const beside = await feature.startBeside({ streamLimits: { heartbeatMs: 10 } })
    streamUrl = `${await beside.http.listen({ port: 0, host: '127.0.0.1' })}/api/notifications/stream`
  })

  test('reaches every client', async () => {
    const streams = [
      await openEventStream(streamUrl, await feature.newReader()),
      await openEventStream(streamUrl, await feature.newReader()),
    ]
    for (const stream of streams) expect(await stream.nextComment()).toBe(': still here')
    for (const stream of streams) stream.leave()
  })

  test('ends the streams of a session whose end was not announced, and no other', async () => {
    const [mine, theirs] = [await feature.newReader(), await feature.newReader()]
    const [ending, staying] = [
      await openEventStream(streamUrl, mine),
      await openEventStream(streamUrl, theirs),
    ]
    await feature.db.transaction(async (tx) => {
      await tx.run(sql`alter table sessions disable trigger user`)
      await tx.run(sql`update sessions set revoked_at = now() where owner_id = ${mine.ownerId}`)
      await tx.run(sql`alter table sessions enable trigger user`)
    })
    await ending.ended
    await feature.tell(theirs.ownerId, 'still here')
    expect(await take(staying, 1)).toEqual(['still here'])
    staying.leave()
  })
})

describe('limits', () => {
  test('429 for one stream too many, and room again when one leaves', async () => {
    const { token } = await feature.newReader()
    const streams = await Promise.all([open(token), open(token), open(token)])
    const refused = await feature.http.inject({
      url: '/api/notifications/stream',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('15')
    expect(refused.json().error.code).toBe('RATE_LIMIT_EXCEEDED')

    streams[0]?.leave()
    await expect.poll(feature.countStreams).toBe(2)
    const again = await open(token)
    expect(again.status).toBe(200)
    for (const stream of [...streams, again]) stream.leave()
    await untilNobodyIsConnected()
  })

  test('HEAD returns the headers and opens nothing', async () => {
    const { token } = await feature.newReader()
    const response = await feature.http.inject({
      method: 'HEAD',
      url: '/api/notifications/stream',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(await feature.countStreams()).toBe(0)
  })

  test('a client that does not read is dropped, and loses nothing when it comes back', async () => {
    const { ownerId, token } = await feature.newReader()
    await feature.tell(ownerId, 'seen')
    const hanging = await open(token)
    hanging.pause()
    const titles: string[] = []
    // The kernel takes some megabytes before the server notices that nobody reads.
    while ((await feature.countStreams()) > 0 && titles.length < 100) {
      const title = `${'x'.repeat(100_000)} ${titles.length}`
      titles.push(title)
      await feature.tell(ownerId, title)
    }
    expect(await feature.countStreams()).toBe(0)
    const back = await open(token, await idOf(ownerId, 'seen'))
    expect(await take(back, titles.length)).toEqual(titles)
    back.leave()
    hanging.leave()
    await untilNobodyIsConnected()
  })
})

describe('room', () => {
  test('is limited per address and in total, for all callers', async () => {
    const small = await feature.startBeside({
      environment: { TRUSTED_PROXIES: '127.0.0.1' },
      streamLimits: { maxStreams: 3, maxStreamsPerAddress: 2 },
    })
    const url = `${await small.http.listen({ port: 0, host: '127.0.0.1' })}/api/notifications/stream`
    const openFrom = async (address: string) =>
      openEventStream(url, { ...(await feature.newReader()), headers: { 'X-Forwarded-For': address } })
    const first = [await openFrom('192.0.2.9'), await openFrom('192.0.2.9')]
    const refused = await openFrom('192.0.2.9')
    expect([...first, refused].map(({ status }) => status)).toEqual([200, 200, 429])
    const elsewhere = await openFrom('192.0.2.1')
    expect(elsewhere.status).toBe(200)
    const { bearer } = await feature.newReader()
    const headers = { ...bearer, 'x-forwarded-for': '192.0.2.2' }
    const full = await small.http.inject({ url: '/api/notifications/stream', headers })
    expect([full.statusCode, full.json().error.message]).toEqual([
      503,
      'Too many streams are open right now.',
    ])
    for (const stream of [...first, elsewhere]) stream.leave()
  })
})
