import { randomKey } from '@agent-marketplace/sdk'
import { createContext, type ReactNode, Suspense, useContext, useMemo, useSyncExternalStore } from 'react'
import { lazyPart } from '../data/connection/load-code.ts'
import { useSession } from '../session/SessionProvider.tsx'
import type { Transaction } from './story.ts'
import { createTransactionStore, type TransactionStore } from './transaction-store.ts'

/** Only who is signed in has transactions to follow. */
const Follower = lazyPart(() => import('./Follower.tsx'))

const TransactionContext = createContext<TransactionStore | undefined>(undefined)

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
            newId: randomKey,
          }),
    [address],
  )
  return (
    <TransactionContext value={store}>
      {store && (
        <Suspense>
          <Follower store={store} />
        </Suspense>
      )}
      {children}
    </TransactionContext>
  )
}
