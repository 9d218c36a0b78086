import type { DataOf, MarketplaceClient } from '@agent-marketplace/sdk'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'

export type NotificationPage = DataOf<'listNotifications'>

/** What the bell shows: the newest few and how many are unread. The live feed keeps it fresh. */
export const bellQuery = (client: MarketplaceClient) =>
  queryOptions({
    queryKey: ['notifications', 'bell'],
    queryFn: async ({ signal }): Promise<NotificationPage> =>
      (await client.call('listNotifications', { query: { limit: 8 }, signal })).data,
    staleTime: 30_000,
  })

export const notificationsQuery = (client: MarketplaceClient, { unreadOnly }: { unreadOnly: boolean }) =>
  infiniteQueryOptions({
    queryKey: ['notifications', 'list', { unreadOnly }],
    queryFn: async ({ pageParam, signal }) =>
      (
        await client.call('listNotifications', {
          query: { unreadOnly, limit: 30, offset: pageParam },
          signal,
        })
      ).data,
    initialPageParam: 0,
    getNextPageParam: ({ notifications, total }, _pages, offset) =>
      notifications.length > 0 && offset + notifications.length < total
        ? offset + notifications.length
        : undefined,
    staleTime: 10_000,
  })

export async function markRead(client: MarketplaceClient, queries: QueryClient, id: string): Promise<void> {
  queries.setQueryData<NotificationPage>(['notifications', 'bell'], (page) => page && withRead(page, id))
  queries.setQueriesData<InfiniteData<NotificationPage>>(
    { queryKey: ['notifications', 'list'] },
    (list) => list && { ...list, pages: list.pages.map((page) => withRead(page, id)) },
  )
  try {
    await client.markNotificationRead(id)
  } finally {
    await queries.invalidateQueries({ queryKey: ['notifications'] })
  }
}

export async function markAllRead(client: MarketplaceClient, queries: QueryClient): Promise<void> {
  await client.markAllNotificationsRead()
  await queries.invalidateQueries({ queryKey: ['notifications'] })
}

/** Who has opened a page has read what is about it. */
export async function markPageRead(
  client: MarketplaceClient,
  queries: QueryClient,
  link: string,
): Promise<void> {
  const { data } = await client.call('markAllNotificationsRead', { query: { link } })
  if (data.markedCount > 0) await queries.invalidateQueries({ queryKey: ['notifications'] })
}

/** Shown at once; the response of the service follows. */
export function withRead(page: NotificationPage, id: string): NotificationPage {
  const wasUnread = page.notifications.some((one) => one.id === id && !one.read)
  return {
    ...page,
    unreadCount: page.unreadCount - (wasUnread ? 1 : 0),
    notifications: page.notifications.map((one) => (one.id === id ? { ...one, read: true } : one)),
  }
}
