import type { JobDetail, JobStatus } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions } from '../../endpoints.ts'
import { MarketplaceError } from '../../errors.ts'
import { getJob } from './jobs.ts'

/** The wait between looks grows from the first to the last of these, so that a long job costs few calls. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5_000

/** A status, one of several, or any test of the job. */
export type Until = JobStatus | readonly JobStatus[] | ((job: JobDetail) => boolean)

/**
 * Waits until the job is so. When it ends in another status than one waited for, that is an INVALID_STATE.
 *
 * @example
 * await marketplace.waitForJob(job.id, ['UNDER_REVIEW', 'COMPLETED'])
 * await marketplace.waitForJob(job.id, (job) => job.escrowState === 'RELEASED', { signal: AbortSignal.timeout(60_000) })
 */
export async function waitForJob(
  core: Core,
  jobId: string,
  until: Until,
  { signal }: CallOptions = {},
): Promise<JobDetail> {
  const allowed = typeof until === 'function' ? undefined : [until].flat()
  const isDone = typeof until === 'function' ? until : ({ status }: JobDetail) => allowed?.includes(status)
  let pauseMs = FIRST_PAUSE_MS
  for (;;) {
    const job = await getJob(core, jobId, { signal })
    if (isDone(job)) return job
    const hasEnded = job.status === 'COMPLETED' || job.status === 'CANCELLED'
    if (allowed && hasEnded) {
      throw new MarketplaceError('INVALID_STATE', {
        message: `The job has ended ${job.status}.`,
        details: { status: job.status, allowed },
      })
    }
    await core.clock.sleep(pauseMs, signal)
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)
  }
}
