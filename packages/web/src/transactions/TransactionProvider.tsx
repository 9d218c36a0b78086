import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react'
import { rpcUrlOf, useConfig } from '../data/config.ts'
import { useSession } from '../session/SessionProvider.tsx'
import { isGone, look } from './look.ts'
import { isOpen, type Transaction } from './story.ts'
import { createTransactionStore, type TransactionStore } from './transaction-store.ts'

const TransactionContext = createContext<TransactionStore | undefined>(undefined)

const FIRST_LOOK_MS = 1_000
const LONGEST_PAUSE_MS = 15_000

const noTransactions: Transaction[] = []
const never = () => () => {}

/** Undefined while nobody is signed in. */
export function useTransactionStore(): TransactionStore | undefined {
  return useContext(TransactionContext)
}

/** The transactions of the wallet that is signed in, newest first. */
export function useTransactions(): Transaction[] {
  const store = useTransactionStore()
  return useSyncExternalStore(store?.subscribe ?? never, store?.list ?? (() => noTransactions))
}

/** Begins a story that survives a reload: `track({ kind, label, jobId?, txHash? })`. */
export function useTrackTx(): Pick<TransactionStore, 'track' | 'learn' | 'forget'> {
  const store = useTransactionStore()
  if (!store) throw new Error('useTrackTx needs somebody who is signed in')
  return store
}

/** The newest story about a job. */
export function useJobTransaction(jobId: string): Transaction | undefined {
  return useTransactions().find((transaction) => transaction.jobId === jobId)
}

export function TransactionProvider({ children }: { children: ReactNode }) {
  const session = useSession()
  const address = session.status === 'signedIn' ? session.wallet.address : undefined
  const store = useMemo(
    () =>
      address === undefined
        ? undefined
        : createTransactionStore({
            storage: localStorage,
            address,
            nowMs: () => Date.now(),
            newId: () => crypto.randomUUID(),
          }),
    [address],
  )
  return (
    <TransactionContext value={store}>
      {store && <Follower store={store} />}
      {children}
    </TransactionContext>
  )
}

/** Looks at what is under way, ever more rarely, until all of it has ended. */
function Follower({ store }: { store: TransactionStore }) {
  const { client } = useSession()
  const config = useConfig()
  const queries = useQueryClient()
  const open = useTransactions().filter(isOpen)
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
            signal: ending.signal,
          })
          store.learn(transaction.id, evidence)
          const hasMoved = evidence.state !== transaction.state
          if (hasMoved && transaction.jobId) queries.invalidateQueries({ queryKey: ['jobs'] })
          if (hasMoved) queries.invalidateQueries({ queryKey: ['balance'] })
          if (hasMoved && transaction.withdrawalId) queries.invalidateQueries({ queryKey: ['owner'] })
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
