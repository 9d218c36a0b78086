import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestClient } from '../testing/createTestClient.ts'
import { type Reply, startFaultyServer } from '../testing/startFaultyServer.ts'

const streamPath = '/api/notifications/stream'
const eventOf = (id: string, type = 'JOB_FUNDED') =>
  `id: ${id}\nevent: notification\ndata: {"id":"${id}","type":"${type}"}\n\n`
const streamed = (then: 'end' | 'break' | 'stay', ...texts: string[]): Reply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  pieces: { texts: ['retry: 2000\n\n', ...texts], then },
})

let streams: Reply[]
let newest: string | null
let server: Awaited<ReturnType<typeof startFaultyServer>>
beforeEach(async () => {
  streams = []
  newest = 'c0'
  server = await startFaultyServer(({ path }) => {
    if (path.startsWith(streamPath)) return streams.shift() ?? streamed('stay')
    if (path.startsWith('/api/jobs'))
      return { status: 200, json: { data: [{ id: 'cjob1' }], nextCursor: null } }
    return {
      status: 200,
      json: { data: { notifications: [], unreadCount: 0, total: 0, lastEventId: newest } },
    }
  })
})
afterEach(() => server.close())

const newClient = () => createTestClient({ baseUrl: server.url, apiKey: 'amk_test' })
const lastIds = () => server.seenAt(streamPath).map(({ headers }) => headers['last-event-id'])

test('a feed that breaks goes on after the last notification', async () => {
  streams = [
    streamed('break', eventOf('c1'), eventOf('c2'), 'id: c3\nda'),
    streamed('end', eventOf('c3')),
    streamed('stay', eventOf('c4')),
  ]
  server.befall(streamPath, 'drop', { status: 503 })
  const { client } = newClient()
  const seen: string[] = []
  for await (const { id } of client.streamNotifications()) {
    seen.push(id)
    if (id === 'c4') break
  }
  expect(seen).toEqual(['c1', 'c2', 'c3', 'c4'])
  expect(lastIds()).toEqual(['c0', 'c0', 'c0', 'c2', 'c3'])
})

test('it starts at the given position, and the signal ends it quietly', async () => {
  const stop = new AbortController()
  const seen: string[] = []
  streams = [streamed('stay', eventOf('c8'))]
  const { client } = newClient()
  for await (const { id } of client.streamNotifications({ lastEventId: 'c7', signal: stop.signal })) {
    seen.push(id)
    stop.abort()
  }
  expect([seen, lastIds()]).toEqual([['c8'], ['c7']])
})

test('a feed without events yet begins with the first one, also after a break', async () => {
  newest = null
  streams = [streamed('break'), streamed('stay', eventOf('c1'))]
  const { client } = newClient()
  for await (const { id } of client.streamNotifications()) {
    expect(id).toBe('c1')
    break
  }
  expect(lastIds()).toEqual(['0', '0'])
})

test('what cannot get better is thrown', async () => {
  server.befall(streamPath, { status: 403 })
  const { client } = newClient()
  await expect(client.streamNotifications().next()).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 })
})

test('waiting jobs are looked for at the start, after every break and with every notification', async () => {
  streams = [streamed('end', eventOf('c1')), streamed('stay')]
  const { client } = newClient()
  let times = 0
  for await (const { id } of client.watchJobs({ role: 'seller', status: 'IN_PROGRESS' })) {
    expect(id).toBe('cjob1')
    times += 1
    if (times === 3) break
  }
  expect(server.seenAt('/api/jobs').map(({ path }) => path)).toEqual(
    Array(3).fill('/api/jobs?role=seller&status=IN_PROGRESS'),
  )
})

test('progress of a job is no reason to look for waiting jobs again', async () => {
  streams = [streamed('stay', eventOf('c1', 'JOB_PROGRESS'), eventOf('c2', 'JOB_PROGRESS'), eventOf('c3'))]
  const { client } = newClient()
  let times = 0
  for await (const _ of client.watchJobs()) {
    times += 1
    if (times === 2) break
  }
  expect(server.seenAt('/api/jobs')).toHaveLength(2)
  const live = client.streamNotifications()
  streams = [streamed('stay', eventOf('c4', 'JOB_PROGRESS'))]
  expect((await live.next()).value).toMatchObject({ id: 'c4', type: 'JOB_PROGRESS' })
  await live.return()
})
