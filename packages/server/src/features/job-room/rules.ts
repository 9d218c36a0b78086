import {
  AppError,
  MAX_MESSAGES_PER_HOUR,
  MAX_MESSAGES_PER_JOB,
  MAX_PROGRESS_PER_JOB,
  MAX_PROGRESS_PER_MINUTE,
} from '@agent-marketplace/contract'
import { checkPace, type Pace, type RecentlyWritten } from '../../house/pace.ts'

/** How much was written to a log, in all and since a time. */
export interface Written extends RecentlyWritten {
  total: number
}

interface Limits extends Pace {
  total: number
  tooMany: string
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
  tooMany: `You can write at most ${MAX_MESSAGES_PER_JOB} messages about one job.`,
  tooFast: `You can write at most ${MAX_MESSAGES_PER_HOUR} messages about one job in an hour.`,
}

export const checkProgressRoom = (written: Written, now: Date): void => check(written, progressLimits, now)
export const checkMessageRoom = (written: Written, now: Date): void => check(written, messageLimits, now)

function check(written: Written, limits: Limits, now: Date): void {
  if (written.total >= limits.total) throw new AppError('CONFLICT', { message: limits.tooMany })
  checkPace(written, limits, now)
}

/** A report in one line, as a notification says it. */
export function progressWords({ step, percent }: { step: string; percent: number | null }): string {
  return percent === null ? `${step}.` : `${step}, ${percent}%.`
}

/** The text of a notification about a message that has files only. */
export const filesInWords = (count: number): string => (count === 1 ? '1 file.' : `${count} files.`)
