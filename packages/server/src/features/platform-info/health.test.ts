import { afterEach, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../testing/test-database.ts'
import {
  type StartedPlatformInfo,
  startPlatformInfo,
  type TestPlatformInfoOptions,
} from './testing/start-platform-info.ts'

let started: StartedPlatformInfo | undefined
afterEach(async () => {
  await started?.close()
  started = undefined
})

async function start(options: TestPlatformInfoOptions = {}): Promise<StartedPlatformInfo> {
  started = await startPlatformInfo(options)
  return started
}

const never = () => new Promise<never>(() => undefined)

test('live reports that the process responds, no matter what its parts do', async () => {
  const { app } = await start({ parts: { database: never } })
  const response = await app.inject('/health/live')
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({ data: { status: 'live' } })
})

describe('ready', () => {
  test('200 with each part when all respond', async () => {
    const { app } = await start()
    const response = await app.inject('/health/ready')
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      data: { status: 'ready', parts: { database: { status: 'up', ms: expect.any(Number) } } },
    })
    expect(response.headers['cache-control']).toBe('no-store')
  })

  test('503 when the database is gone', async () => {
    const database = await createTestDatabase()
    const { app } = await start({ parts: { database: database.db.ping } })
    expect((await app.inject('/health/ready')).statusCode).toBe(200)
    await database.close()
    const response = await app.inject('/health/ready')
    expect(response.statusCode).toBe(503)
    expect(response.json().error.details.parts.database).toMatchObject({ status: 'down', reason: 'failed' })
  })

  test('503 names what is down without the reason', async () => {
    const { app } = await start({
      parts: {
        database: async () => undefined,
        queue: () => Promise.reject(new Error('password of the queue: hunter2')),
        chain: never,
      },
      timeLimitMs: 20,
    })
    const response = await app.inject('/health/ready')
    expect(response.statusCode).toBe(503)
    expect(response.headers['retry-after']).toBe('2')
    expect(response.body).not.toContain('hunter2')
    expect(response.json().error).toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Not ready: queue, chain.',
      details: {
        parts: {
          database: { status: 'up' },
          queue: { status: 'down', reason: 'failed' },
          chain: { status: 'down', reason: 'no response within 20 ms' },
        },
      },
    })
  })

  test('callers share a check that runs', async () => {
    let checks = 0
    const gate = Promise.withResolvers<void>()
    const { app } = await start({
      parts: {
        database: () => {
          checks += 1
          return gate.promise
        },
      },
    })
    let arrived = 0
    app.addHook('preHandler', async () => {
      arrived += 1
      if (arrived === 4) setImmediate(gate.resolve)
    })
    const responses = await Promise.all([1, 2, 3, 4].map(() => app.inject('/health/ready')))
    expect(responses.map((response) => response.statusCode)).toEqual([200, 200, 200, 200])
    expect(checks).toBe(1)
    await app.inject('/health/ready')
    expect(checks).toBe(2)
  })
})
