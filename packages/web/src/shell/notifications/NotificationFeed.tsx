import { type Notification, STREAM_START } from '@agent-marketplace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { loadErrorDetails } from '../../components/page/ErrorState.tsx'
import { loadToaster, toastPlain } from '../../components/popups/toast.ts'
import { bellQuery } from '../../data/account/notifications.ts'
import { useSession, useSessionStore } from '../../session/SessionProvider.tsx'
import { followFeed } from './live-feed.ts'
import { useReadByOpening } from './useReadByOpening.ts'

/** What each kind of news makes stale. The prefix of the type says what it is about. */
const staleBy: readonly (readonly [prefix: RegExp, keys: readonly string[]])[] = [
  [/./, ['notifications']],
  [/^(JOB|CHANGES|DISPUTE|REVIEW|PAYMENT)_/, ['jobs', 'owner', 'balance', 'agents']],
  [/^(WITHDRAWAL|SUBSCRIPTION|WALLET)_/, ['owner', 'balance']],
  [/^(AGENT|QUESTION)_/, ['agents', 'owner']],
]
const liveKeys = new Set(staleBy.flatMap(([, keys]) => keys))

/**
 * Follows the owner's notifications live: the bell counts them, a toast shows them, and the data they affect is read again.
 * Only who is signed in has news, so its code comes then.
 */
export default function NotificationFeed() {
  useReadByOpening()
  const session = useSession()
  const store = useSessionStore()
  const queries = useQueryClient()
  const client = session.status === 'signedIn' ? session.client : undefined
  const ownerId = session.status === 'signedIn' ? session.owner.id : undefined

  useEffect(() => {
    if (!client || !ownerId) return
    const readAgain = (keys: Iterable<string>) => {
      for (const key of keys) queries.invalidateQueries({ queryKey: [key] })
    }
    const onNews = ({ type, title, message, link }: Notification) => {
      if (type === 'JOB_PROGRESS') {
        // It changes nothing else, and comes too often for a toast.
        queries.invalidateQueries({ queryKey: ['jobs', 'progress'] })
        return
      }
      // Where nobody looks, toasts would only pile up; a message that comes in on the open page is seen there.
      const isInSight = type === 'JOB_MESSAGE' && link === location.pathname
      if (document.visibilityState === 'visible' && !isInSight) toastPlain(title, message)
      for (const [prefix, keys] of staleBy) if (prefix.test(type)) readAgain(keys)
      if (/^(KYC|ACCOUNT)_/.test(type)) store.refresh().catch(() => {})
    }
    // What an error has to say may be that nothing can be loaded any more.
    loadToaster()
    loadErrorDetails()
    const readPlace = ({ isFresh }: { isFresh: boolean }) => {
      const bell = bellQuery(client)
      return queries.fetchQuery(isFresh ? { ...bell, staleTime: 0 } : bell).then(
        ({ lastEventId }) => lastEventId ?? STREAM_START,
        () => undefined,
      )
    }
    return followFeed({ ownerId, client, readPlace, onNews, onGap: () => readAgain(liveKeys) })
  }, [client, ownerId, queries, store])

  return null
}
