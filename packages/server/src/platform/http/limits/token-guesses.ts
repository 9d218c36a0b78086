import { AppError, rateLimitsPerMinute } from '@agent-marketplace/contract'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock/clock.ts'
import { createMemoryRateLimiter } from './rate-limit.ts'

const MAX_REMEMBERED = 10_000

/** Hashes of tokens; the one that was added longest ago makes room for the newest. */
const createMemory = () => new LRUCache<string, true>({ max: MAX_REMEMBERED })

/**
 * Keeps those who guess tokens from the database. One that was not there stays unknown without another look: tokens are
 * random, and neither a revoked nor an expired one comes back. New ones are looked up only as often as one address may call
 * at all. A token that was seen to work is let through, so that nobody is locked out by a neighbour behind the same address.
 */
export function createTokenGuesses({ clock, areLimited }: { clock: Clock; areLimited: boolean }) {
  const missing = createMemory()
  const working = createMemory()
  const limiter = createMemoryRateLimiter(clock)
  const limit = rateLimitsPerMinute.api

  return {
    isMissing: (hash: string): boolean => missing.has(hash),
    /** Throws where this address has looked for too many tokens that are not there. */
    checkAddress(hash: string, address: string): void {
      if (!areLimited || working.has(hash)) return
      const { remaining, retryAfterSeconds } = limiter.peek(address, limit)
      if (remaining === 0) throw new AppError('RATE_LIMIT_EXCEEDED', { details: { retryAfterSeconds } })
    },
    found: (hash: string): void => void working.set(hash, true),
    async missed(hash: string, address: string): Promise<void> {
      missing.set(hash, true)
      await limiter.hit(address, limit)
    },
  }
}
