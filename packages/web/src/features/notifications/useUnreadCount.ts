import { useQuery } from '@tanstack/react-query'
import { bellQuery } from '../../data/account/notifications.ts'
import { useClient } from '../../session/SessionProvider.tsx'

/** How many are unread, as the bell counts them. */
export function useUnreadCount(): number | undefined {
  return useQuery(bellQuery(useClient())).data?.unreadCount
}
