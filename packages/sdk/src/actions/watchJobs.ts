import type { ListedJob } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { CallOptions, QueryOf } from '../endpoints.ts'
import { followNotifications } from '../events/followNotifications.ts'
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
  for await (const _ of followNotifications(core, { signal })) yield* listJobs(core, query, { signal })
}
