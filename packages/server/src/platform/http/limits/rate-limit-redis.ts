import { RATE_WINDOW_SECONDS } from '@agent-marketplace/contract'
import { Redis } from 'ioredis'
import type { Clock } from '../../clock/clock.ts'
import type { Log } from '../../log/log.ts'
import { createMemoryRateLimiter, type RateLimiter, verdictOf } from './rate-limit.ts'

/** One round trip: count, start the window with its first request, and read what is left of it. */
const countScript = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }`

const COMMAND_TIMEOUT_MS = 250

interface RedisRateLimiterOptions {
  url: string
  clock: Clock
  log: Log
  windowSeconds?: number
  keyPrefix?: string
}

export interface RedisRateLimiter extends RateLimiter {
  /** Whether Redis counts right now, and not this process alone. */
  isReady(): boolean
}

/**
 * Counts in Redis, so that several processes share one limit. While Redis does not respond, this process counts by
 * itself: limits become looser by the number of processes, never unlimited.
 */
export function createRedisRateLimiter(options: RedisRateLimiterOptions): RedisRateLimiter {
  const { clock, log, windowSeconds = RATE_WINDOW_SECONDS, keyPrefix = 'rate:' } = options
  const fallback = createMemoryRateLimiter(clock, windowSeconds)
  const redis = new Redis(options.url, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  })
  let answering = true
  redis.on('error', (error) => {
    if (answering) log.warn({ err: error }, 'redis does not respond: each process counts its own rate limits')
    answering = false
  })
  redis.on('ready', () => {
    if (!answering) log.info('redis responds again')
    answering = true
  })

  return {
    isReady: () => redis.status === 'ready',
    async hit(key, limit) {
      if (redis.status !== 'ready') return fallback.hit(key, limit)
      try {
        const reply = await redis.eval(countScript, 1, keyPrefix + key, windowSeconds * 1000)
        const [count, leftMs] = Array.isArray(reply) ? reply.map(Number) : []
        if (count === undefined || leftMs === undefined) return fallback.hit(key, limit)
        const nowMs = clock.now().getTime()
        return verdictOf(count, limit, nowMs + Math.max(leftMs, 0), nowMs)
      } catch (error) {
        log.debug({ err: error }, 'rate limit counted in process')
        return fallback.hit(key, limit)
      }
    },
    // Only responses that do not count are peeked at; what this process knows is good enough for their headers.
    peek: (key, limit) => fallback.peek(key, limit),
    async close() {
      redis.disconnect()
    },
  }
}
