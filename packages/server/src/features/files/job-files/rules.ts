import {
  AppError,
  JOB_FILE_BYTES_PER_DAY,
  MAX_BYTES_OF_JOB,
  MAX_FILES_OF_JOB,
  MAX_JOB_FILE_BYTES,
} from '@agent-marketplace/contract'
import { addSeconds } from '../../../platform/clock/clock.ts'
import type { Usage } from './store.ts'

export const DAY_SECONDS = 24 * 3600
/** Each holds a connection and a file on disk until it ends. */
const MAX_UPLOADS_AT_ONCE = 20

/** The room that a file needs: what it is said to have, else the most that it can have. Rejects one that is too large. */
export function roomFor(declaredBytes: number | undefined): number {
  const room = declaredBytes ?? MAX_JOB_FILE_BYTES
  if (room > MAX_JOB_FILE_BYTES)
    throw tooLarge(`A file has at most ${MAX_JOB_FILE_BYTES} bytes.`, MAX_JOB_FILE_BYTES)
  return room
}

/** Disk space is the limit that counts, of the job and of the owner. */
export function checkRoom(
  { jobBytes, jobFiles, ownerBytes, oldest, underWay }: Usage,
  room: number,
  now: Date,
): void {
  if (underWay >= MAX_UPLOADS_AT_ONCE)
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      message: `You have ${underWay} uploads under way; wait until one of them has ended.`,
      details: { retryAfterSeconds: 30 },
    })
  if (jobFiles >= MAX_FILES_OF_JOB)
    throw tooLarge(`You have ${jobFiles} files in this job; ${MAX_FILES_OF_JOB} are the most.`, 0)
  if (jobBytes + BigInt(room) > MAX_BYTES_OF_JOB)
    throw tooLarge(
      `Your files in a job have at most ${MAX_BYTES_OF_JOB} bytes; these have ${jobBytes} already.`,
      Math.max(0, MAX_BYTES_OF_JOB - Number(jobBytes)),
    )
  if (oldest === null || ownerBytes + BigInt(room) <= JOB_FILE_BYTES_PER_DAY) return
  const freeAgainMs = addSeconds(oldest, DAY_SECONDS).getTime() - now.getTime()
  throw new AppError('RATE_LIMIT_EXCEEDED', {
    message: `You have brought ${ownerBytes} bytes into jobs within 24 hours; ${JOB_FILE_BYTES_PER_DAY} are the most.`,
    details: { retryAfterSeconds: Math.max(1, Math.ceil(freeAgainMs / 1000)) },
  })
}

export function tooLarge(message: string, maxBytes: number): AppError<'PAYLOAD_TOO_LARGE'> {
  return new AppError('PAYLOAD_TOO_LARGE', { message, details: { maxBytes } })
}
