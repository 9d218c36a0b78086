import { AppError, MAX_PROGRESS_PER_JOB, MAX_PROGRESS_PER_MINUTE } from '@agent-marketplace/contract'
import { addSeconds } from '../../platform/clock/clock.ts'

/** How much was written to a log, in all and since a time. */
export interface Written {
  total: number
  recent: number
  /** The oldest of the recent ones. */
  oldest: Date | null
}

export const PROGRESS_WINDOW_SECONDS = 60

export function checkProgressRoom({ total, recent, oldest }: Written, now: Date): void {
  if (total >= MAX_PROGRESS_PER_JOB) {
    throw new AppError('CONFLICT', { message: `A job has at most ${MAX_PROGRESS_PER_JOB} progress reports.` })
  }
  if (recent < MAX_PROGRESS_PER_MINUTE) return
  throw new AppError('RATE_LIMIT_EXCEEDED', {
    message: `At most ${MAX_PROGRESS_PER_MINUTE} progress reports of one job in a minute.`,
    details: { retryAfterSeconds: secondsLeft(oldest ?? now, PROGRESS_WINDOW_SECONDS, now) },
  })
}

function secondsLeft(since: Date, windowSeconds: number, now: Date): number {
  const leftMs = addSeconds(since, windowSeconds).getTime() - now.getTime()
  return Math.max(1, Math.ceil(leftMs / 1000))
}

/** A report in one line, as a notification says it. */
export function progressWords({ step, percent }: { step: string; percent: number | null }): string {
  return percent === null ? `${step}.` : `${step}, ${percent}%.`
}
