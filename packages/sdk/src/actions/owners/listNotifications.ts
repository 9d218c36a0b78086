import type { Notification } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { byOffset } from '../../paging/pages.ts'
import { exchange } from '../../transport/exchange.ts'

/** Your notifications, newest first. */
export function listNotifications(
  core: Core,
  query: QueryOf<'listNotifications'> = {},
  { signal }: CallOptions = {},
): AsyncGenerator<Notification, void> {
  return byOffset(query.offset, async (offset) => {
    const { response } = await exchange(core, 'listNotifications', { query: { ...query, offset }, signal })
    return { items: response.data.notifications, total: response.data.total }
  })
}
