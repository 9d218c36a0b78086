import { useSessionStore } from './SessionProvider.tsx'
import type { TestRole } from './wallet.ts'

/** Signs in with one of the sandbox's own wallets, or with a new one. */
export function useTestSignIn(): (role: TestRole | 'new') => Promise<void> {
  const store = useSessionStore()
  return async (role) => {
    const { createTabWallet, findTestWallet } = await import('./test-wallets.ts')
    await store.signIn(role === 'new' ? createTabWallet() : await findTestWallet(store.reader, role))
  }
}
