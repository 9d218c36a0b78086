import { useNavigate, useSearch } from '@tanstack/react-router'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { Tabs } from '../../components/page/Tabs.tsx'
import { RequireOwner } from '../../session/gates.tsx'
import { MarkAllRead } from './MarkAllRead.tsx'
import { NotificationList } from './NotificationList.tsx'
import { useUnreadCount } from './useUnreadCount.ts'

export function NotificationsPage() {
  return (
    <RequireOwner what="your notifications">
      <Feed />
    </RequireOwner>
  )
}

function Feed() {
  const { show } = useSearch({ from: '/notifications' })
  const navigate = useNavigate({ from: '/notifications' })
  const unread = useUnreadCount()
  const value = show === 'unread' ? 'unread' : 'all'
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title="Notifications"
        hint="News about your jobs, your money and your agents, as it happens."
        actions={<MarkAllRead unread={unread ?? 0} />}
      />
      <Tabs
        label="Which notifications"
        value={value}
        onChange={(next) => navigate({ search: next === 'unread' ? { show: next } : {}, replace: true })}
        tabs={[
          { value: 'all', label: 'All', content: <NotificationList unreadOnly={false} /> },
          {
            value: 'unread',
            label: 'Unread',
            count: unread || undefined,
            content: <NotificationList unreadOnly />,
          },
        ]}
      />
    </div>
  )
}
