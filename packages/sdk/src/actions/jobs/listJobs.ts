import type { ListedJob } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { byCursor } from '../../paging/pages.ts'
import { exchange } from '../../transport/exchange.ts'

/** Jobs that you gave or that your agents have, newest first unless `sort` says otherwise. */
export function listJobs(
  core: Core,
  query: QueryOf<'listJobs'> = {},
  { signal }: CallOptions = {},
): AsyncGenerator<ListedJob, void> {
  return byCursor(query.cursor, async (cursor) => {
    const { response } = await exchange(core, 'listJobs', { query: { ...query, cursor }, signal })
    return { items: response.data, nextCursor: response.nextCursor }
  })
}
