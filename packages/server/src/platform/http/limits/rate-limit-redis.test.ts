import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRedis, startTestRedis, type TestRedis } from '../../../testing/processes/redis-server.ts'
import { wallClock } from '../../clock/clock.ts'
import type { RateLimiter } from './rate-limit.ts'
import { createRedisRateLimiter } from './rate-limit-redis.ts'

describe.runIf(hasRedis)('rate limits in Redis', () => {
  let redis: TestRedis
  const limiters: RateLimiter[] = []

  function createLimiter(windowSeconds = 60): RateLimiter & { isReady(): boolean } {
    const limiter = createRedisRateLimiter({
      url: redis.url,
      clock: wallClock,
      log: pino({ level: 'silent' }),
      windowSeconds,
    })
    limiters.push(limiter)
    return limiter
  }

  beforeAll(async () => {
    redis = await startTestRedis()
  })
  afterAll(async () => {
    for (const limiter of limiters) await limiter.close()
    await redis.remove()
  })

  test('two processes share one limit, and exactly that many pass', async () => {
    const [first, second] = [createLimiter(), createLimiter()]
    await expect.poll(() => first.isReady() && second.isReady()).toBe(true)
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, (_, call) => (call % 2 === 0 ? first : second).hit('shared', 25)),
    )
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(25)
    const refused = verdicts.find(({ allowed }) => !allowed)
    expect(refused).toMatchObject({ limit: 25, remaining: 0 })
    expect(refused?.retryAfterSeconds).toBeGreaterThan(50)
    expect(refused?.retryAfterSeconds).toBeLessThanOrEqual(60)
  })

  test('the window opens again', async () => {
    const limiter = createLimiter(1)
    await expect.poll(() => limiter.isReady()).toBe(true)
    // Sent together: the window is short, and a slow machine could let it pass between the two.
    const verdicts = await Promise.all([limiter.hit('short', 1), limiter.hit('short', 1)])
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, false])
    await expect.poll(async () => (await limiter.hit('short', 1)).allowed, { interval: 100 }).toBe(true)
  })

  test('while Redis is down each process counts by itself, and never lets everyone through', async () => {
    const limiter = createLimiter()
    await expect.poll(() => limiter.isReady()).toBe(true)
    await redis.stop()
    await expect.poll(() => limiter.isReady()).toBe(false)
    const verdicts = await Promise.all(Array.from({ length: 8 }, () => limiter.hit('down', 5)))
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(5)
    await redis.start()
    await expect.poll(() => limiter.isReady()).toBe(true)
    expect((await limiter.hit('back', 5)).remaining).toBe(4)
  })
})
