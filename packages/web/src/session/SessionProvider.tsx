import type { Owner } from '@agent-marketplace/contract'
import type { MarketplaceClient, Signer } from '@agent-marketplace/sdk'
import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react'
import { type SessionState, type SessionStore, WALLET_KEY } from './session-store.ts'

const SessionContext = createContext<SessionStore | undefined>(undefined)

export function useSessionStore(): SessionStore {
  const store = useContext(SessionContext)
  if (!store) throw new Error('useSession needs a <SessionProvider> around it')
  return store
}

/** Who is signed in, with which wallet. */
export function useSession(): SessionState {
  const store = useSessionStore()
  return useSyncExternalStore(store.subscribe, store.getState)
}

/** The client to call the service with. A new one for each wallet that signs in. */
export function useClient(): MarketplaceClient {
  return useSession().client
}

/** Who is signed in, inside <RequireOwner>. */
export function useOwner(): Owner {
  const session = useSession()
  if (session.status !== 'signedIn') throw new Error('useOwner needs a <RequireOwner> around it')
  return session.owner
}

/** What signs for who is signed in. Asking it to sign opens the wallet again, also after a reload. */
export function useSigner(): Signer | undefined {
  const session = useSession()
  return session.status === 'signedIn' ? session.signer : undefined
}

export function SessionProvider({ store, children }: { store: SessionStore; children: ReactNode }) {
  const queries = useQueryClient()
  const state = useSyncExternalStore(store.subscribe, store.getState)
  const viewer = state.status === 'signedIn' ? state.owner.id : undefined
  const lastViewer = useRef(viewer)

  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      if (key === WALLET_KEY) store.restore()
    }
    store.restore()
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [store])

  // What one wallet has read must not be shown to another, nor used by what begins for it. What was read before anybody
  // signed in is public.
  useLayoutEffect(() => {
    const hadViewer = lastViewer.current !== undefined && lastViewer.current !== viewer
    lastViewer.current = viewer
    if (hadViewer) queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' })
  }, [viewer, queries])

  return <SessionContext value={store}>{children}</SessionContext>
}
