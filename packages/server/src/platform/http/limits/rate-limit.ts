import { RATE_WINDOW_SECONDS } from '@agent-marketplace/contract'
import type { FastifyReply } from 'fastify'
import type { Clock } from '../../clock/clock.ts'

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

/** Counts at once. */
export interface MemoryRateLimiter extends RateLimiter {
  hit(key: string, limit: number): RateVerdict
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

/** More callers than this in a minute are an attack from many addresses; the oldest windows go first then. */
const MAX_WINDOWS = 200_000

/** A window starts with a key's first request and lasts a minute. Ended windows are swept away once a minute. */
export function createMemoryRateLimiter(
  clock: Clock,
  windowSeconds = RATE_WINDOW_SECONDS,
  maxWindows = MAX_WINDOWS,
): MemoryRateLimiter {
  const windowMs = windowSeconds * 1000
  const windows = new Map<string, { count: number; resetAtMs: number }>()
  let sweepAtMs = 0

  function sweep(nowMs: number): void {
    sweepAtMs = nowMs + windowMs
    for (const [key, window] of windows) if (window.resetAtMs <= nowMs) windows.delete(key)
  }

  /** In the order of insertion, which is that of their beginnings. */
  function forgetOldest(): void {
    const [oldest] = windows.keys()
    if (oldest !== undefined) windows.delete(oldest)
  }

  return {
    hit(key, limit) {
      const nowMs = clock.now().getTime()
      if (nowMs >= sweepAtMs) sweep(nowMs)
      let window = windows.get(key)
      if (!window || window.resetAtMs <= nowMs) {
        window = { count: 0, resetAtMs: nowMs + windowMs }
        windows.delete(key)
        windows.set(key, window)
        if (windows.size > maxWindows) forgetOldest()
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

export const rateHeadersOf = (verdict: RateVerdict) => ({
  'x-ratelimit-limit': verdict.limit,
  'x-ratelimit-remaining': verdict.remaining,
  'x-ratelimit-reset': verdict.resetAtSeconds,
})

export function setRateHeaders(reply: FastifyReply, verdict: RateVerdict): void {
  reply.headers(rateHeadersOf(verdict))
}
