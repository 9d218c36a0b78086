import { once } from 'node:events'
import { get } from 'node:http'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { openEventStream } from './testing/open-event-stream.ts'
import { type StartedFeed, startFeed, told } from './testing/start-feed.ts'

/** Soon after what a test does. */
const withHeartbeat = { streamLimits: { heartbeatMs: 10 } }

/** A log, and the promise of a line in it. */
function logThatIsRead(line: string) {
  const { promise: logged, resolve } = Promise.withResolvers<void>()
  const log = pino({ level: 'warn' }, { write: (text) => (text.includes(line) ? resolve() : undefined) })
  return { log, logged }
}

let feature: StartedFeed | undefined
afterEach(async () => {
  await feature?.close()
  feature = undefined
})

test('what was written while the listening connection was down arrives when it is back', async () => {
  const started = await startFeed()
  feature = started
  const { ownerId, token } = await started.newReader()
  const stream = await openEventStream(started.streamUrl, { token })
  await started.tell(ownerId, 'before')
  expect((await stream.next()).data.title).toBe('before')

  // In one transaction, so that the message is sent when the listener is surely gone.
  await started.db.transaction(async (tx) => {
    const listeners = await tx.rows<{ pid: number }>(sql`
      select pid, pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and query like 'listen %owner_notified%'`)
    // Of the service, and of the worker that notifies.
    expect(listeners).toHaveLength(2)
    await started.notify(tx, told(ownerId, 'meanwhile'))
  })
  expect((await stream.next()).data.title).toBe('meanwhile')
  await started.tell(ownerId, 'after')
  expect((await stream.next()).data.title).toBe('after')
})

test('what the database refused to read is sent with the next heartbeat', async () => {
  const { log, logged } = logThatIsRead('notifications could not be read for their streams')
  const started = await startFeed({ ...withHeartbeat, ports: () => ({ log }) })
  feature = started
  const { ownerId, token } = await started.newReader()
  const stream = await openEventStream(started.streamUrl, { token })
  await started.tell(ownerId, 'in time')
  expect((await stream.next()).data.title).toBe('in time')
  await started.db.transaction(async (tx) => {
    await started.notify(tx, told(ownerId, 'late'))
    // From the commit on the table cannot be read under its name.
    await tx.run(sql`alter table notifications rename to notifications_away`)
  })
  await logged
  await started.db.run(sql`alter table notifications_away rename to notifications`)
  expect((await stream.next()).data.title).toBe('late')
})

test('what nobody announced, because its process died, is sent with the next heartbeat', async () => {
  const started = await startFeed(withHeartbeat)
  feature = started
  const { ownerId, token } = await started.newReader()
  const stream = await openEventStream(started.streamUrl, { token })
  await started.db.run(sql`
    insert into notifications (id, owner_id, type, title, message, created_at)
    values ('unannounced', ${ownerId}, 'SYSTEM_ALERT', 'unannounced', 'About it.', now())`)
  expect((await stream.next()).data.title).toBe('unannounced')
})

test('one connection of a process listens, however many clients there are', async () => {
  const started = await startFeed({ streamLimits: { maxStreamsPerOwner: 30 } })
  feature = started
  const { ownerId, token } = await started.newReader()
  const streams = await Promise.all(
    Array.from({ length: 30 }, () => openEventStream(started.streamUrl, { token })),
  )
  await started.tell(ownerId, 'to all')
  for (const stream of streams) expect((await stream.next()).data.title).toBe('to all')
  const { count } = await started.db.one<{ count: bigint }>(sql`
    select count(*) from pg_stat_activity
    where datname = current_database() and query like 'listen %owner_notified%'`)
  // Of the service, and of the worker that notifies.
  expect(count).toBe(2n)
})

test('a client that leaves while its stream is being opened leaves nothing behind', async () => {
  const started = await startFeed()
  feature = started
  const { token } = await started.newReader()
  await started.db.transaction(async (tx) => {
    await tx.run(sql`lock table notifications in access exclusive mode`)
    const connected = once(started.http.server, 'connection')
    const request = get(started.streamUrl, { agent: false, headers: { Authorization: `Bearer ${token}` } })
    request.on('error', () => undefined)
    const [serverSocket] = await connected
    await expect.poll(() => waitingForTable(started)).toBe(1n)
    expect(await started.countStreams()).toBe(1)
    const noticed = once(serverSocket, 'close')
    request.destroy()
    await noticed
  })
  await expect.poll(started.countStreams).toBe(0)
})

test('the heartbeat comes by itself, again and again', async () => {
  const started = await startFeed(withHeartbeat)
  feature = started
  const stream = await openEventStream(started.streamUrl, await started.newReader())
  expect([await stream.nextComment(), await stream.nextComment()]).toEqual([': still here', ': still here'])
})

test('a session check that fails keeps the stream', async () => {
  const { log, logged } = logThatIsRead('the session of a stream could not be checked')
  const started = await startFeed({ ...withHeartbeat, ports: () => ({ log }) })
  feature = started
  const { ownerId, token } = await started.newReader()
  const stream = await openEventStream(started.streamUrl, { token })
  await started.db.run(sql`alter table sessions rename to sessions_away`)
  await logged
  await started.db.run(sql`alter table sessions_away rename to sessions`)
  await started.tell(ownerId, 'still there')
  expect((await stream.next()).data.title).toBe('still there')
})

test('the server stops at once, with streams open and one client that hangs', async () => {
  const started = await startFeed()
  const { ownerId, token } = await started.newReader()
  const [reading, hanging] = await Promise.all([
    openEventStream(started.streamUrl, { token }),
    openEventStream(started.streamUrl, { token }),
  ])
  hanging.pause()
  await started.tell(ownerId, ...Array.from({ length: 5 }, () => 'x'.repeat(10_000)))
  await reading.next()
  await started.close()
  await reading.ended
  expect(await promisify(started.http.server.getConnections.bind(started.http.server))()).toBe(0)
})

async function waitingForTable(started: StartedFeed): Promise<bigint> {
  const { count } = await started.db.one<{ count: bigint }>(sql`
    select count(*) from pg_locks where relation = 'notifications'::regclass and not granted`)
  return count
}
