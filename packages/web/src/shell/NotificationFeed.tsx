import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { tellCalmly } from '../components/toast.ts'
import { useSession, useSessionStore } from '../session/SessionProvider.tsx'

/** What each kind of news makes stale. The prefix of the type says what it is about. */
const staleBy: readonly (readonly [prefix: RegExp, keys: readonly string[]])[] = [
  [/^(JOB|CHANGES|DISPUTE|REVIEW|PAYMENT)_/, ['jobs', 'owner', 'balance', 'agents']],
  [/^(WITHDRAWAL|SUBSCRIPTION|WALLET)_/, ['owner', 'balance']],
  [/^AGENT_/, ['agents', 'owner']],
]

/** Follows the owner's notifications live: the bell counts them, a toast tells them, and what they touch is read again. */
export function NotificationFeed() {
  const session = useSession()
  const store = useSessionStore()
  const queries = useQueryClient()
  const client = session.status === 'signedIn' ? session.client : undefined

  useEffect(() => {
    if (!client) return
    const ending = new AbortController()
    const follow = async () => {
      for await (const { type, title, message } of client.streamNotifications({ signal: ending.signal })) {
        tellCalmly(title, message)
        queries.invalidateQueries({ queryKey: ['notifications'] })
        for (const [prefix, keys] of staleBy) {
          if (!prefix.test(type)) continue
          for (const key of keys) queries.invalidateQueries({ queryKey: [key] })
        }
        if (/^(KYC|ACCOUNT)_/.test(type)) store.refresh().catch(() => {})
      }
    }
    // The feed mends itself; what it throws is the end of the session, which the session itself tells.
    follow().catch(() => {})
    return () => ending.abort()
  }, [client, queries, store])

  return null
}
