import { RATE_WINDOW_SECONDS } from '@agent-marketplace/contract'
import type { FastifyReply } from 'fastify'
import type { Clock } from '../clock/clock.ts'

export interface RateVerdict {
  allowed: boolean
  limit: number
  remaining: number
  /** Unix time in seconds at which the window ends. */
  resetAtSeconds: number
  retryAfterSeconds: number
}

export interface RateLimiter {
  /** Counts one request against the key. */
  hit(key: string, limit: number): RateVerdict | Promise<RateVerdict>
  /** Looks without counting. */
  peek(key: string, limit: number): RateVerdict
  close(): Promise<void>
}

export function verdictOf(count: number, limit: number, resetAtMs: number, nowMs: number): RateVerdict {
  return {
    allowed: count <= limit,
    limit,
    remaining: Math.max(0, limit - count),
    resetAtSeconds: Math.ceil(resetAtMs / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil((resetAtMs - nowMs) / 1000)),
  }
}

/** A window starts with a key's first request and lasts a minute. Ended windows are swept away once a minute. */
export function createMemoryRateLimiter(clock: Clock, windowSeconds = RATE_WINDOW_SECONDS): RateLimiter {
  const windowMs = windowSeconds * 1000
  const windows = new Map<string, { count: number; resetAtMs: number }>()
  let sweepAtMs = 0

  function sweep(nowMs: number): void {
    sweepAtMs = nowMs + windowMs
    for (const [key, window] of windows) if (window.resetAtMs <= nowMs) windows.delete(key)
  }

  return {
    hit(key, limit) {
      const nowMs = clock.now().getTime()
      if (nowMs >= sweepAtMs) sweep(nowMs)
      let window = windows.get(key)
      if (!window || window.resetAtMs <= nowMs) {
        window = { count: 0, resetAtMs: nowMs + windowMs }
        windows.set(key, window)
      }
      window.count += 1
      return verdictOf(window.count, limit, window.resetAtMs, nowMs)
    },
    peek(key, limit) {
      const nowMs = clock.now().getTime()
      const window = windows.get(key)
      if (!window || window.resetAtMs <= nowMs) return verdictOf(0, limit, nowMs + windowMs, nowMs)
      return verdictOf(window.count, limit, window.resetAtMs, nowMs)
    },
    close: async () => {},
  }
}

export function setRateHeaders(reply: FastifyReply, verdict: RateVerdict): void {
  reply.header('x-ratelimit-limit', verdict.limit)
  reply.header('x-ratelimit-remaining', verdict.remaining)
  reply.header('x-ratelimit-reset', verdict.resetAtSeconds)
}
