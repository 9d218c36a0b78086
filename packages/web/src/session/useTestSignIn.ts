import { useSyncExternalStore } from 'react'
import { loadCode } from '../data/connection/load-code.ts'
import { useSessionStore } from './SessionProvider.tsx'
import { type SavedWallet, savedWallets } from './saved-wallets.ts'
import type { TestRole } from './wallet.ts'

/** Signs in with one of the sandbox's own wallets, with one that this browser has made, or with a new one. */
export function useTestSignIn(): (
  who: TestRole | 'new' | SavedWallet,
  signal?: AbortSignal,
) => Promise<void> {
  const store = useSessionStore()
  return async (who, signal) => {
    if (typeof who === 'object') {
      const { name, address } = who
      return store.signIn({ kind: 'saved', name, address }, signal)
    }
    const { createSavedWallet, findTestWallet } = await loadCode(() => import('./test-wallets.ts'))
    const wallet = who === 'new' ? createSavedWallet() : await findTestWallet(store.reader, who)
    await store.signIn(wallet, signal)
  }
}

/** The test wallets that this browser has made. */
export const useSavedWallets = (): SavedWallet[] =>
  useSyncExternalStore(savedWallets.subscribe, savedWallets.list)
