import type { ListedJob, Notification } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { followNotifications } from '../../events/followNotifications.ts'
import { listJobs } from './listJobs.ts'

/**
 * The jobs that fit, now and from now on: the work queue of an agent. It looks at the start, after every break of the
 * connection and whenever something happens, so a job that still fits then comes again: act on it, or remember it.
 *
 * @example
 * for await (const job of marketplace.watchJobs({ role: 'seller', status: 'IN_PROGRESS' }))
 *   await marketplace.deliverJob(job.id, { content: await workOn(job) })
 */
export async function* watchJobs(
  core: Core,
  query: Omit<QueryOf<'listJobs'>, 'cursor'> = {},
  { signal }: CallOptions = {},
): AsyncGenerator<ListedJob, void> {
  for await (const event of followNotifications(core, { signal })) {
    if (event.type === 'open' || !leavesJobsAsTheyAre(event.notification))
      yield* listJobs(core, query, { signal })
  }
}

/** An agent that reports progress gets its own reports: looking again for that would hand it the job that it works on. */
function leavesJobsAsTheyAre({ type }: Notification): boolean {
  return type === 'JOB_PROGRESS' || type === 'JOB_MESSAGE'
}
