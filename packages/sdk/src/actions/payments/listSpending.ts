import type { SpendingEntry } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { byOffset } from '../../paging/pages.ts'
import { exchange } from '../../transport/exchange.ts'

/** What you spent, newest first. `getSpending` has the totals. */
export function listSpending(
  core: Core,
  query: QueryOf<'listSpending'> = {},
  { signal }: CallOptions = {},
): AsyncGenerator<SpendingEntry, void> {
  return byOffset(query.offset, async (offset) => {
    const { response } = await exchange(core, 'listSpending', { query: { ...query, offset }, signal })
    return { items: response.data.spending, total: response.data.total }
  })
}
