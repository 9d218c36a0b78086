import { AppError } from '@agent-marketplace/contract'
import { addSeconds } from '../platform/clock/clock.ts'

/** What somebody wrote within a window of time. */
export interface RecentlyWritten {
  recent: number
  /** The oldest of the recent ones. */
  oldest: Date | null
}

export interface Pace {
  /** So many within the window. */
  recent: number
  windowSeconds: number
  tooFast: string
}

/** Throws once the window is full, with the time after which there is room again. */
export function checkPace({ recent, oldest }: RecentlyWritten, pace: Pace, now: Date): void {
  if (recent < pace.recent) return
  const leftMs = addSeconds(oldest ?? now, pace.windowSeconds).getTime() - now.getTime()
  throw new AppError('RATE_LIMIT_EXCEEDED', {
    message: pace.tooFast,
    details: { retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)) },
  })
}
