import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEventStream } from '../packages/server/src/features/notifications/testing/open-event-stream.ts'
import type { Connection } from '../packages/server/src/platform/db/connection.ts'
import { dataHome } from '../packages/server/src/testing/processes/data-home.ts'
import { hasRedis } from '../packages/server/src/testing/processes/redis-server.ts'
import { createTestDatabase, type TestDatabase } from '../packages/server/src/testing/test-database.ts'
import { signIn } from './client.ts'
import { type Children, createChildren } from './failover/children.ts'
import { type Outside, productionSettings, startOutside } from './failover/services/outside.ts'
import { startRedis } from './failover/services/redis.ts'
import { createDoor } from './failover/traffic/door.ts'
import { createPair, type Pair } from './failover/traffic/people.ts'
import {
  endServices,
  freePort,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from './service/service-process.ts'
import { tellUntilDelivered } from './steady/story.ts'

const PRICE_MICRO = 150_000_000n

/**
 * What several-processes.chain.test.ts walks row by row, with processes that share nothing but what is outside of them:
 * there they live in one, and a module that keeps something would keep it for all.
 */
const directory = temporaryDirectory(dataHome())
let children: Children
let outside: Outside
let database: TestDatabase
let here: ServiceProcess
let there: ServiceProcess
let pair: Pair

beforeAll(async () => {
  children = createChildren(directory.path)
  database = await createTestDatabase()
  outside = await startOutside(children, directory.path)
  const redis = hasRedis ? startRedis(children, directory.path, await freePort()) : undefined
  const common = {
    ...productionSettings(outside),
    DATABASE_URL: urlOf(database.connection),
    DATABASE_POOL_SIZE: '5',
    ...(redis && { REDIS_URL: redis.url }),
  }
  const start = async (name: string, ROLE: 'api' | 'worker') =>
    startService({
      dataDir: `${directory.path}/${name}`,
      port: await freePort(),
      environment: { ...common, ROLE },
    })
  ;[here, there] = await Promise.all([
    start('api-1', 'api'),
    start('api-2', 'api'),
    start('worker-1', 'worker'),
  ])
  pair = await createPair({ door: createDoor([{ ...here, name: 'api-1' }]), outside, number: 0 })
})
afterAll(async () => {
  await endServices()
  await outside?.close()
  await children.endAll()
  await database?.close()
  directory.remove()
})

const urlOf = ({ connectionString, host = '', user = '', database = '' }: Connection): string =>
  connectionString ?? `postgres://localhost/${database}?${new URLSearchParams({ host, user })}`

interface Call {
  method?: string
  body?: object
  headers?: Record<string, string>
}

async function call(
  { url }: ServiceProcess,
  path: string,
  token: string,
  { method, body, headers }: Call = {},
) {
  const response = await fetch(url + path, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}
const streamAt = ({ url }: ServiceProcess, token: string, lastEventId?: string) =>
  openEventStream(`${url}/api/notifications/stream`, {
    token,
    ...(lastEventId !== undefined && { lastEventId }),
  })
const hire = () => ({
  agentId: pair.cast.agentId,
  title: 'Read it',
  description: 'All of it.',
  agreedPrice: String(PRICE_MICRO),
})

test('a session that began at one is let in at the other, and ends there as soon as its stream does', async () => {
  const { token } = await signIn(here.url)
  const statusThere = async () => (await call(there, '/api/auth/session', token)).status
  expect(await statusThere()).toBe(200)
  const stream = await streamAt(there, token)
  expect((await call(here, '/api/auth/logout', token, { method: 'POST' })).status).toBe(200)
  expect(await stream.ended).toBe(true)
  // Had the stream ended by its heartbeat, after 15 s, the session would still be in memory, for 30.
  expect(await statusThere()).toBe(401)
})

test('an API key that is revoked at one is rejected by the next call at the other', async () => {
  const { token } = await signIn(here.url)
  const made = await call(here, '/api/api-keys', token, { body: { name: 'Both' } })
  const { id, key } = made.body.data
  expect((await call(there, '/api/auth/session', key)).status).toBe(200)
  expect((await call(here, `/api/api-keys/${id}`, token, { method: 'DELETE' })).status).toBe(200)
  expect((await call(there, '/api/auth/session', key)).status).toBe(401)
})

test('an Idempotency-Key that is repeated at the other gives the same job', async () => {
  const { token } = pair.cast.buyer
  const request = { body: hire(), headers: { 'idempotency-key': randomUUID() } }
  const first = await call(here, '/api/jobs', token, request)
  const again = await call(there, '/api/jobs', token, request)
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.body.data.jobId).toBe(first.body.data.jobId)
})

test('a hire at one is paid and followed by the worker, and live at the other; the stream is resumed at the first', async () => {
  const { buyer, seller } = pair.cast
  const stream = await streamAt(there, seller.token)
  const { jobId } = await tellUntilDelivered(pair.cast, PRICE_MICRO)
  const seen = await stream.next()
  stream.leave()

  const approved = await call(there, `/api/jobs/${jobId}/approve`, buyer.token, { body: {} })
  expect(approved.body.data.status).toBe('COMPLETED')
  for (const service of [here, there]) {
    const job = async () => (await call(service, `/api/jobs/${jobId}`, seller.token)).body.data
    await expect.poll(async () => (await job()).escrowState).toBe('RELEASED')
  }

  const listed = await call(there, '/api/notifications', seller.token)
  const ids: string[] = listed.body.data.notifications.map(({ id }: { id: string }) => id).toReversed()
  const missed = ids.slice(ids.indexOf(seen.id) + 1)
  expect(missed.length).toBeGreaterThan(0)
  const resumed = await streamAt(here, seller.token, seen.id)
  for (const id of missed) expect((await resumed.next()).id).toBe(id)
  resumed.leave()
})
