import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSessionStore } from '../../session/SessionProvider.tsx'
import { configQuery } from './config.ts'

/** How far the service's time is ahead of this machine's: what it said, less when it said so. */
function useClockOffsetMs(): number {
  const { reader } = useSessionStore()
  const { data: config, dataUpdatedAt } = useQuery(configQuery(reader))
  return config ? Date.parse(config.now) - dataUpdatedAt : 0
}

/** After time travel: the service has said its new time. */
export function setServiceTime(
  queries: QueryClient,
  reader: Parameters<typeof configQuery>[0],
  now: string,
): void {
  queries.setQueryData(configQuery(reader).queryKey, (config) => config && { ...config, now })
}

/** The service's current time, updated regularly. */
export function useNowMs(everyMs = 1_000): number {
  const offsetMs = useClockOffsetMs()
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs + offsetMs
}
