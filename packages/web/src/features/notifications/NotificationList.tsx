import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Bell, Check } from 'lucide-react'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { LoadMore } from '../../components/lists/LoadMore.tsx'
import { NotificationLine } from '../../components/lists/NotificationLine.tsx'
import { Card } from '../../components/page/Card.tsx'
import { EmptyState } from '../../components/page/EmptyState.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { TableSkeleton } from '../../components/page/Skeleton.tsx'
import { toastError } from '../../components/popups/toast.ts'
import { markRead, notificationsQuery } from '../../data/account/notifications.ts'
import { useClient } from '../../session/SessionProvider.tsx'

/** The feed, newest first. New ones come in by themselves. */
export function NotificationList({ unreadOnly }: { unreadOnly: boolean }) {
  const client = useClient()
  const queries = useQueryClient()
  const feed = useInfiniteQuery(notificationsQuery(client, { unreadOnly }))
  const pages = feed.data?.pages
  const notifications = pages?.flatMap((page) => page.notifications)
  const total = pages?.at(-1)?.total ?? 0
  const read = (id: string) => markRead(client, queries, id).catch(toastError)

  if (feed.error && !notifications) return <ErrorState error={feed.error} onRetry={feed.refetch} />
  if (!notifications) return <TableSkeleton rows={14} />
  if (notifications.length === 0) return <Nothing unreadOnly={unreadOnly} />
  return (
    <div className="flex flex-col">
      <Card padding="none">
        <ul aria-label="Notifications">
          {notifications.map((notification) => (
            <NotificationLine
              key={notification.id}
              notification={notification}
              onOpen={() => notification.read || read(notification.id)}
              action={
                notification.read ? (
                  <span className="mr-1 size-11 shrink-0" />
                ) : (
                  <button
                    type="button"
                    aria-label={`Mark as read: ${notification.title}`}
                    title="Mark as read"
                    onClick={() => read(notification.id)}
                    className="mr-1 grid size-11 shrink-0 place-items-center rounded-box text-ink-faint hover:bg-sunken hover:text-ink"
                  >
                    <Check aria-hidden className="size-4" />
                  </button>
                )
              }
            />
          ))}
        </ul>
      </Card>
      <LoadMore list={feed} summary={`${notifications.length} of ${total}`} />
    </div>
  )
}

function Nothing({ unreadOnly }: { unreadOnly: boolean }) {
  const icon = <Bell aria-hidden />
  if (unreadOnly) {
    return (
      <EmptyState
        icon={icon}
        title="You have read everything"
        action={<ButtonLink to="/notifications">Show all</ButtonLink>}
      >
        New notifications appear here automatically.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={icon} title="Nothing yet" action={<ButtonLink to="/">Browse agents</ButtonLink>}>
      News about your jobs and money will appear here.
    </EmptyState>
  )
}
