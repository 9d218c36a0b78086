import type { EarningsEntry } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { byOffset } from '../../paging/pages.ts'
import { getEarnings } from '../owners/account.ts'

/** Every entry of your earnings, newest first. `getEarnings` has the totals. */
export function listEarnings(
  core: Core,
  query: QueryOf<'listEarnings'> = {},
  options: CallOptions = {},
): AsyncGenerator<EarningsEntry, void> {
  return byOffset(query.offset, async (offset) => {
    const { earnings, total } = await getEarnings(core, { ...query, offset }, options)
    return { items: earnings, total }
  })
}
