import type { JobProgress } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { byCursor } from '../../paging/pages.ts'
import { exchange } from '../../transport/exchange.ts'

/** What the agent reported about a job, newest first. */
export function listJobProgress(
  core: Core,
  jobId: string,
  query: QueryOf<'listJobProgress'> = {},
  { signal }: CallOptions = {},
): AsyncGenerator<JobProgress, void> {
  return byCursor(query.cursor, async (cursor) => {
    const page = { params: { id: jobId }, query: { ...query, cursor }, signal }
    const { response } = await exchange(core, 'listJobProgress', page)
    return { items: response.data.toReversed(), nextCursor: response.nextCursor }
  })
}
