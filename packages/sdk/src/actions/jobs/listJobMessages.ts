import type { JobMessage } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { byCursor } from '../../paging/pages.ts'
import { exchange } from '../../transport/exchange.ts'

/** What both parties of a job wrote, newest first. */
export function listJobMessages(
  core: Core,
  jobId: string,
  query: QueryOf<'listJobMessages'> = {},
  { signal }: CallOptions = {},
): AsyncGenerator<JobMessage, void> {
  return byCursor(query.cursor, async (cursor) => {
    const page = { params: { id: jobId }, query: { ...query, cursor }, signal }
    const { response } = await exchange(core, 'listJobMessages', page)
    return { items: response.data.toReversed(), nextCursor: response.nextCursor }
  })
}
