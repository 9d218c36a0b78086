import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useConfig } from '../data/platform/config.ts'
import { rpcUrlOf } from '../data/platform/platform-config.ts'
import { useSession } from '../session/SessionProvider.tsx'
import { isGone, look } from './look.ts'
import { isOpen, type Transaction } from './story.ts'
import type { TransactionStore } from './transaction-store.ts'

const FIRST_LOOK_MS = 1_000
const LONGEST_PAUSE_MS = 15_000

/** What a step of a transaction may have changed. */
function staleBy({ jobId }: Transaction): string[] {
  return jobId ? ['balance', 'jobs'] : ['balance', 'owner']
}

/** Looks at what is under way, ever more rarely, until all of it has ended. */
export default function Follower({ store }: { store: TransactionStore }) {
  const { client } = useSession()
  const config = useConfig()
  const queries = useQueryClient()
  const open = useSyncExternalStore(store.subscribe, store.list).filter(isOpen)
  const openIds = open.map(({ id }) => id).join()

  useEffect(() => {
    if (!config || openIds === '') return
    const ending = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const lookAround = async (pauseMs: number): Promise<void> => {
      for (const transaction of store.list().filter(isOpen)) {
        try {
          const evidence = await look(transaction, {
            client,
            rpcUrl: rpcUrlOf(config),
            permissionManager: config.contracts.spendPermissionManager,
            signal: ending.signal,
          })
          store.learn(transaction.id, evidence)
          if (evidence.state === transaction.state) continue
          for (const key of staleBy(transaction)) queries.invalidateQueries({ queryKey: [key] })
        } catch (error) {
          if (isGone(error)) store.forget(transaction.id)
        }
      }
      if (ending.signal.aborted) return
      timer = setTimeout(() => lookAround(Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)), pauseMs)
    }
    timer = setTimeout(() => lookAround(2 * FIRST_LOOK_MS), FIRST_LOOK_MS)
    return () => {
      ending.abort()
      clearTimeout(timer)
    }
  }, [store, client, config, queries, openIds])

  return null
}
