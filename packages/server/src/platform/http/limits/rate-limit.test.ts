import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../testing/test-clock.ts'
import { createMemoryRateLimiter, setRateHeaders } from './rate-limit.ts'

const start = new Date('2026-11-15T12:00:00.400Z')
const endSeconds = Math.ceil(start.getTime() / 1000) + 60

test('exactly the limit passes in a window, which a key begins and ends by itself', () => {
  const clock = createTestClock(start)
  const limiter = createMemoryRateLimiter(clock)
  expect(limiter.hit('one', 2)).toEqual({
    allowed: true,
    limit: 2,
    remaining: 1,
    resetAtSeconds: endSeconds,
    retryAfterSeconds: 60,
  })
  clock.advance(30)
  expect(limiter.hit('one', 2)).toMatchObject({ allowed: true, remaining: 0, retryAfterSeconds: 30 })
  expect(limiter.hit('one', 2)).toMatchObject({ allowed: false, remaining: 0, resetAtSeconds: endSeconds })
  expect(limiter.hit('another', 2)).toMatchObject({ allowed: true, resetAtSeconds: endSeconds + 30 })
  clock.advance(29.9)
  expect(limiter.hit('one', 2)).toMatchObject({ allowed: false, retryAfterSeconds: 1 })
  clock.advance(0.1)
  expect(limiter.hit('one', 2)).toMatchObject({
    allowed: true,
    remaining: 1,
    resetAtSeconds: endSeconds + 60,
  })
  expect(limiter.hit('another', 2)).toMatchObject({ allowed: true, remaining: 0 })
})

test('a look counts nothing and begins nothing', () => {
  const clock = createTestClock(start)
  const limiter = createMemoryRateLimiter(clock, 10)
  const untouched = { allowed: true, limit: 2, remaining: 2, retryAfterSeconds: 10 }
  expect(limiter.peek('one', 2)).toMatchObject(untouched)
  clock.advance(5)
  limiter.hit('one', 2)
  expect(limiter.peek('one', 2)).toMatchObject({ remaining: 1, retryAfterSeconds: 10 })
  expect(limiter.peek('one', 2)).toMatchObject({ remaining: 1 })
  clock.advance(4)
  expect(limiter.peek('one', 2)).toMatchObject({ remaining: 1, retryAfterSeconds: 6 })
  clock.advance(6)
  expect(limiter.peek('one', 2)).toMatchObject(untouched)
})

test('windows that have ended do not pile up, and those that run are kept', () => {
  const clock = createTestClock(start)
  const limiter = createMemoryRateLimiter(clock)
  limiter.hit('one', 5)
  clock.advance(59)
  limiter.hit('another', 5)
  clock.advance(1)
  // The sweep of this moment removes the first.
  limiter.hit('a third', 5)
  expect(limiter.peek('one', 5).remaining).toBe(5)
  expect(limiter.hit('another', 5).remaining).toBe(3)
})

test('callers beyond the most that are counted make room by the oldest window', () => {
  const limiter = createMemoryRateLimiter(createTestClock(start), 60, 2)
  const remaining = () => ['first', 'second', 'third'].map((key) => limiter.peek(key, 5).remaining)
  limiter.hit('first', 5)
  limiter.hit('second', 5)
  expect(remaining()).toEqual([4, 4, 5])
  limiter.hit('third', 5)
  expect(remaining()).toEqual([5, 4, 4])
})

test('a response shows the window', () => {
  const sent: Record<string, unknown> = {}
  const reply = { headers: (values: object) => Object.assign(sent, values) } as unknown as FastifyReply
  setRateHeaders(reply, createMemoryRateLimiter(createTestClock(start)).hit('one', 100))
  expect(sent).toEqual({
    'x-ratelimit-limit': 100,
    'x-ratelimit-remaining': 99,
    'x-ratelimit-reset': endSeconds,
  })
})
