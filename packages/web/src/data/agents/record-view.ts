import type { ViewedPart } from '@agent-marketplace/contract'
import { useEffect } from 'react'
import { useClient } from '../../session/SessionProvider.tsx'

/** What this tab has reported: the service counts a visitor once a day anyway. */
const reported = new Set<string>()

/** Reports once that a part of an agent was opened, for the seller's funnel. Nothing waits for it, and nobody misses it. */
export function useRecordView(wallet: string, part: ViewedPart, isShown = true): void {
  const client = useClient()
  useEffect(() => {
    const key = `${part} ${wallet}`
    if (!isShown || reported.has(key)) return
    reported.add(key)
    client.call('recordAgentView', { params: { wallet }, body: { part } }).catch(() => undefined)
  }, [client, wallet, part, isShown])
}
