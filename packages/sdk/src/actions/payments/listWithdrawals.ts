import type { Withdrawal } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { byOffset } from '../../paging/pages.ts'
import { exchange } from '../../transport/exchange.ts'

/** Your withdrawals, newest first. */
export function listWithdrawals(
  core: Core,
  query: QueryOf<'listWithdrawals'> = {},
  { signal }: CallOptions = {},
): AsyncGenerator<Withdrawal, void> {
  return byOffset(query.offset, async (offset) => {
    const { response } = await exchange(core, 'listWithdrawals', { query: { ...query, offset }, signal })
    return { items: response.data.withdrawals, total: response.data.total }
  })
}
