import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { bellQuery, markPageRead } from '../../data/account/notifications.ts'
import { useSession } from '../../session/SessionProvider.tsx'

/** The pages that news are about. */
const pathsOfNotices = /^\/(jobs|agents)\/[^/]+$|^\/sell\/verify$/

/** The bell falls when a job is read on its own page, not only when its news are clicked. */
export function useReadByOpening(): void {
  const session = useSession()
  const queries = useQueryClient()
  const { pathname } = useLocation()
  const client = session.status === 'signedIn' ? session.client : undefined
  const { data } = useQuery({ ...bellQuery(session.client), enabled: client !== undefined })
  const hasUnread = (data?.unreadCount ?? 0) > 0
  const newest = data?.notifications.find(({ read, link }) => !read && link === pathname)?.id

  // biome-ignore lint/correctness/useExhaustiveDependencies: news that come while the page is open are read too
  useEffect(() => {
    if (!client || !hasUnread || !pathsOfNotices.test(pathname)) return
    const read = () => {
      if (document.visibilityState === 'visible') markPageRead(client, queries, pathname).catch(() => {})
    }
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [client, queries, pathname, hasUnread, newest])
}
