import {
  AppError,
  MAX_MESSAGES_PER_HOUR,
  MAX_MESSAGES_PER_JOB,
  MAX_PROGRESS_PER_JOB,
  MAX_PROGRESS_PER_MINUTE,
} from '@agent-marketplace/contract'
import { addSeconds } from '../../platform/clock/clock.ts'

/** How much was written to a log, in all and since a time. */
export interface Written {
  total: number
  recent: number
  /** The oldest of the recent ones. */
  oldest: Date | null
}

interface Limits {
  total: number
  recent: number
  windowSeconds: number
  tooMany: string
  tooFast: string
}

export const PROGRESS_WINDOW_SECONDS = 60
export const MESSAGE_WINDOW_SECONDS = 3600

const progressLimits: Limits = {
  total: MAX_PROGRESS_PER_JOB,
  recent: MAX_PROGRESS_PER_MINUTE,
  windowSeconds: PROGRESS_WINDOW_SECONDS,
  tooMany: `A job has at most ${MAX_PROGRESS_PER_JOB} progress reports.`,
  tooFast: `At most ${MAX_PROGRESS_PER_MINUTE} progress reports of one job in a minute.`,
}

const messageLimits: Limits = {
  total: MAX_MESSAGES_PER_JOB,
  recent: MAX_MESSAGES_PER_HOUR,
  windowSeconds: MESSAGE_WINDOW_SECONDS,
  tooMany: `A job has at most ${MAX_MESSAGES_PER_JOB} messages.`,
  tooFast: `You can write at most ${MAX_MESSAGES_PER_HOUR} messages about one job in an hour.`,
}

export const checkProgressRoom = (written: Written, now: Date): void => check(written, progressLimits, now)
export const checkMessageRoom = (written: Written, now: Date): void => check(written, messageLimits, now)

function check({ total, recent, oldest }: Written, limits: Limits, now: Date): void {
  if (total >= limits.total) throw new AppError('CONFLICT', { message: limits.tooMany })
  if (recent < limits.recent) return
  const leftMs = addSeconds(oldest ?? now, limits.windowSeconds).getTime() - now.getTime()
  throw new AppError('RATE_LIMIT_EXCEEDED', {
    message: limits.tooFast,
    details: { retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)) },
  })
}

/** A report in one line, as a notification says it. */
export function progressWords({ step, percent }: { step: string; percent: number | null }): string {
  return percent === null ? `${step}.` : `${step}, ${percent}%.`
}

const EXCERPT_LENGTH = 140

/** The beginning of a message in one line. */
export function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const letters = Array.from(line)
  return letters.length > EXCERPT_LENGTH ? `${letters.slice(0, EXCERPT_LENGTH).join('')}…` : line
}
