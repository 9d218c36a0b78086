import { useQuery } from '@tanstack/react-query'
import { Bell as BellIcon } from 'lucide-react'
import { lazy } from 'react'
import { bellQuery } from '../../data/account/notifications.ts'
import { loadCode } from '../../data/connection/load-code.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { isOpen } from '../../transactions/story.ts'
import { useTransactions } from '../../transactions/TransactionProvider.tsx'
import { LazyPopup } from '../LazyPopup.tsx'

const loadPopup = () => loadCode(() => import('./BellPopup.tsx'))
const BellPopup = lazy(loadPopup)

export function Bell() {
  const { data } = useQuery(bellQuery(useClient()))
  const unread = data?.unreadCount ?? 0
  const shownUnread = unread > 99 ? '99+' : String(unread)
  const underWay = useTransactions().filter(isOpen).length
  const label = [
    unread === 0 ? 'Notifications' : `Notifications, ${shownUnread} unread`,
    underWay > 0 && `${underWay} transactions under way`,
  ]
  return (
    <LazyPopup
      popup={BellPopup}
      preload={loadPopup}
      button={(props) => (
        <button
          type="button"
          aria-label={label.filter(Boolean).join(', ')}
          className="relative grid size-11 place-items-center rounded-box text-ink-muted hover:bg-sunken hover:text-ink"
          {...props}
        >
          <BellIcon aria-hidden className="size-5" />
          {unread > 0 && (
            <span
              aria-hidden
              className="absolute top-1 right-0.5 min-w-4.5 rounded-pill bg-accent px-1 text-center text-12 font-medium text-on-accent"
            >
              {shownUnread}
            </span>
          )}
          {underWay > 0 && (
            <span
              aria-hidden
              className="absolute right-2 bottom-2 size-2 animate-pulse rounded-pill bg-accent ring-2 ring-ground"
            />
          )}
        </button>
      )}
    />
  )
}
