import type { Job, PgBoss } from 'pg-boss'
import type { BaseLogger } from 'pino'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Scrub } from '../log/scrub.ts'
import { asBossDatabase, heartbeatSeconds, schemaName } from './boss.ts'
import { isRetryable } from './retryable-error.ts'
import type { Task } from './task.ts'

const heartbeatIntervalMs = (heartbeatSeconds * 1000) / 3

interface RunNextOptions {
  boss: PgBoss
  db: Database
  task: Task
  log: BaseLogger
  /** A failure is kept for an operator to read, without the secrets that its text may hold. */
  scrub: Scrub
  /** Also takes a job whose time to start, or to be tried again, has not come. */
  isEarly?: boolean
  onFound?: () => void
}

/**
 * Takes one job of the task and works on it to its end; false when there is none. Every response to the queue carries the
 * attempt it belongs to, so a worker that was paused and lost its job meanwhile changes nothing.
 */
export async function runNext(options: RunNextOptions): Promise<boolean> {
  const { boss, task, log, isEarly = false, onFound } = options
  const { groupConcurrency } = task
  const [job] = await boss.fetch<unknown>(task.name, {
    batchSize: 1,
    ignoreStartAfter: isEarly,
    ...(groupConcurrency === undefined ? {} : { groupConcurrency }),
  })
  if (job === undefined) return false
  onFound?.()

  const lost = new AbortController()
  const heartbeat = setInterval(() => void keepClaim(boss, job, lost, log), heartbeatIntervalMs)
  try {
    await task.run(job.data, { signal: lost.signal, attempt: job.retryCount + 1 })
  } catch (error) {
    await recordFailure(options, job, error)
    return true
  } finally {
    clearInterval(heartbeat)
  }
  await boss.complete(task.name, job)
  return true
}

async function keepClaim(
  boss: PgBoss,
  job: Job<unknown>,
  lost: AbortController,
  log: BaseLogger,
): Promise<void> {
  try {
    const response = await boss.touch(job.name, job)
    if ('affected' in response && response.affected === 0) lost.abort()
  } catch (error) {
    // Nothing is known about the claim; the next heartbeat asks again.
    log.warn({ err: error, task: job.name }, 'heartbeat of a job failed')
  }
}

async function recordFailure(
  { boss, db, task, log, scrub }: RunNextOptions,
  job: Job<unknown>,
  error: unknown,
): Promise<void> {
  const output = { message: scrub(error instanceof Error ? error.message : String(error)) }
  const isFinal = !isRetryable(error) || job.retryCount >= task.retryLimit
  log[isFinal ? 'error' : 'warn'](
    { err: error, task: task.name, jobId: job.id, attempt: job.retryCount + 1 },
    'task failed',
  )
  await db.transaction(async (tx) => {
    // A job without retries left goes to the dead letters when it fails: so one that must not be retried loses them first.
    if (isFinal) {
      await tx.run(sql`update ${sql.ident(schemaName)}.job set retry_limit = retry_count
        where name = ${task.name} and id = ${job.id} and retry_count = ${job.retryCount} and state = 'active'`)
    }
    await boss.fail(task.name, job, output, { db: asBossDatabase(tx) })
  })
}
