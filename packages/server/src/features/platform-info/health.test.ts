import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '../../testing/start-world.ts'
import { createTestDatabase } from '../../testing/test-database.ts'

type Check = () => Promise<void>

let world: World
/** What the database and the chain say in the place of their own checks. */
let said: { database?: Check; chain?: Check } = {}
/** Called with every request, before its handler. */
let onArrival: () => void = () => undefined
beforeAll(async () => {
  world = await startWorld({
    ports: ({ db, chain, limiter }) => ({
      limiter: {
        ...limiter,
        peek(key, limit) {
          onArrival()
          return limiter.peek(key, limit)
        },
      },
      db: { ...db, ping: () => (said.database ?? db.ping)() },
      chain: { ...chain, ping: () => (said.chain ?? chain.ping)() },
    }),
  })
})
afterAll(() => world.close())
afterEach(() => {
  said = {}
  onArrival = () => undefined
})

const get = (url: string) => world.http.inject({ url })
const never = () => new Promise<never>(() => undefined)
const up = { status: 'up', ms: expect.any(Number) }

test('live reports that the process responds, no matter what its parts do', async () => {
  said = { database: never }
  const response = await get('/health/live')
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({ data: { status: 'live' } })
})

describe('ready', () => {
  test('200 with each part when all respond', async () => {
    const response = await get('/health/ready')
    expect(response.statusCode).toBe(200)
    const parts = { database: up, queue: up, chain: up }
    expect(response.json()).toEqual({ data: { status: 'ready', parts } })
    expect(response.headers['cache-control']).toBe('no-store')
  })

  test('503 when the database is gone', async () => {
    const gone = await createTestDatabase()
    await gone.close()
    said = { database: gone.db.ping }
    const response = await get('/health/ready')
    expect(response.statusCode).toBe(503)
    expect(response.json().error.details.parts.database).toMatchObject({ status: 'down', reason: 'failed' })
  })

  test('503 names what is down without the reason', async () => {
    said = { database: () => Promise.reject(new Error('password: hunter2')), chain: never }
    const response = await get('/health/ready')
    expect(response.statusCode).toBe(503)
    expect(response.headers['retry-after']).toBe('2')
    expect(response.body).not.toContain('hunter2')
    expect(response.json().error).toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Not ready: database, chain.',
      details: {
        parts: {
          database: { status: 'down', reason: 'failed' },
          queue: { status: 'up' },
          chain: { status: 'down', reason: 'no response within 2000 ms' },
        },
      },
    })
  })

  test('callers share a check that runs', async () => {
    let checks = 0
    const gate = Promise.withResolvers<void>()
    said = {
      database() {
        checks += 1
        return gate.promise
      },
    }
    let arrived = 0
    onArrival = () => {
      arrived += 1
      if (arrived === 4) setImmediate(gate.resolve)
    }
    const responses = await Promise.all([1, 2, 3, 4].map(() => get('/health/ready')))
    expect(responses.map((response) => response.statusCode)).toEqual([200, 200, 200, 200])
    expect(checks).toBe(1)
    await get('/health/ready')
    expect(checks).toBe(2)
  })

  test('503 from the moment a stop begins', async () => {
    const service = await world.startBeside()
    expect((await service.http.inject({ url: '/health/ready' })).statusCode).toBe(200)
    const stopped = service.close()
    const response = await service.http.inject({ url: '/health/ready' })
    expect([response.statusCode, response.json().error.message]).toEqual([
      503,
      'Not ready: the service is stopping.',
    ])
    await stopped
  })
})
