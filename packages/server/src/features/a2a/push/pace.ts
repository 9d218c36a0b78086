import { AppError } from '@agent-marketplace/contract'
import type { Clock } from '../../../platform/clock/clock.ts'
import { createMemoryRateLimiter, type RateLimiter } from '../../../platform/http/limits/rate-limit.ts'

const HOUR_SECONDS = 3600
const PER_MINUTE = 20
const PER_HOUR = 200

export interface PushPaceDeps {
  /** Real time. */
  clock: Clock
  limiter: RateLimiter
  isEnforced: boolean
}

/**
 * Each new configuration sends a credential that its caller chose to a URL that its caller chose. An account sets up so many,
 * so that this service is no tool to try credentials elsewhere.
 */
export function createPushPace({ clock, limiter, isEnforced }: PushPaceDeps) {
  // In each process: a bound for those who keep on, not a count that anybody reads.
  const ofHour = createMemoryRateLimiter(clock, HOUR_SECONDS)
  const keyOf = (ownerId: string) => `a2a-push:${ownerId}`

  function refuse(retryAfterSeconds: number): void {
    if (!isEnforced) return
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      message: `An account sets up at most ${PER_MINUTE} push notification configurations a minute and ${PER_HOUR} an hour.`,
      details: { retryAfterSeconds },
    })
  }

  return {
    /** Throws where there is no room for another. Counts nothing. */
    check(ownerId: string): void {
      const key = keyOf(ownerId)
      for (const { remaining, retryAfterSeconds } of [
        limiter.peek(key, PER_MINUTE),
        ofHour.peek(key, PER_HOUR),
      ])
        if (remaining === 0) refuse(retryAfterSeconds)
    },

    /** Counts one. */
    async take(ownerId: string): Promise<void> {
      const key = keyOf(ownerId)
      for (const { allowed, retryAfterSeconds } of [
        await limiter.hit(key, PER_MINUTE),
        await ofHour.hit(key, PER_HOUR),
      ])
        if (!allowed) refuse(retryAfterSeconds)
    },
  }
}

export type PushPace = ReturnType<typeof createPushPace>
