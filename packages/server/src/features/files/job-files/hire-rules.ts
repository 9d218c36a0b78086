import {
  AppError,
  invalidField,
  MAX_BYTES_OF_JOB,
  MAX_WAITING_BYTES,
  MAX_WAITING_FILES,
  UNSENT_FILE_HOURS,
} from '@agent-marketplace/contract'
import { addSeconds } from '../../../platform/clock/clock.ts'
import type { NamedFile, Waiting } from './hire-store.ts'

export const expiryOf = ({ createdAt }: Pick<NamedFile, 'createdAt'>): Date =>
  addSeconds(createdAt, UNSENT_FILE_HOURS * 3600)

/** Nobody has paid for what waits, so there is less room for it than for files of jobs. */
export function checkWaiting({ files, bytes, oldest }: Waiting, room: number, now: Date): void {
  if (oldest === null) return
  if (files < MAX_WAITING_FILES && bytes + BigInt(room) <= MAX_WAITING_BYTES) return
  const freeAgainMs = expiryOf({ createdAt: oldest }).getTime() - now.getTime()
  throw new AppError('RATE_LIMIT_EXCEEDED', {
    message:
      `You have ${files} files that wait for a hire, and ${bytes} bytes in all that nobody has paid for; ` +
      `${MAX_WAITING_FILES} files and ${MAX_WAITING_BYTES} bytes are the most.`,
    details: { retryAfterSeconds: Math.max(1, Math.ceil(freeAgainMs / 1000)) },
  })
}

/** Whether a hire can take a file: undefined, or why not. */
function refusalOf(file: NamedFile | undefined, now: Date): string | undefined {
  // The same response for a file of others, for one that never was, and for one that was removed.
  if (!file || (file.jobId === null && expiryOf(file) <= now))
    return 'is no file that you have uploaded for a hire within 24 hours. Upload it again'
  return file.jobId === null ? undefined : 'is a file of another job already. Upload it again'
}

export const isFree = (file: NamedFile | undefined, now: Date): boolean => refusalOf(file, now) === undefined

/** All of them, or none. */
export function checkHireFiles(
  ids: readonly string[],
  known: ReadonlyMap<string, NamedFile>,
  now: Date,
): void {
  for (const [place, id] of ids.entries()) {
    const refusal = refusalOf(known.get(id), now)
    if (refusal !== undefined) throw invalidField(`/files/${place}`, refusal)
  }
  const bytes = ids.reduce((sum, id) => sum + (known.get(id)?.sizeBytes ?? 0n), 0n)
  if (bytes > MAX_BYTES_OF_JOB)
    throw invalidField('/files', `has ${bytes} bytes in all; ${MAX_BYTES_OF_JOB} are the most`)
}
