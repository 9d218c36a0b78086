import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { createContext, type ReactNode, Suspense, useCallback, useContext, useRef, useState } from 'react'
import { lazyPart } from '../data/connection/load-code.ts'
import { useSessionStore } from './SessionProvider.tsx'

const SignInDialog = lazyPart(() => import('./SignInDialog.tsx'))

type Wish = (client: MarketplaceClient) => void

const SignInContext = createContext<((wish?: Wish) => void) | undefined>(undefined)

/** Opens the sign-in dialog, and does what was wished for once somebody is signed in; not where the dialog is closed instead. */
export function useSignInFor(): (wish?: Wish) => void {
  const open = useContext(SignInContext)
  if (!open) throw new Error('useSignIn needs a <SignInProvider> around it')
  return open
}

/** Opens the sign-in dialog. */
export function useSignIn(): () => void {
  const open = useSignInFor()
  return useCallback(() => open(), [open])
}

export function SignInProvider({ children }: { children: ReactNode }) {
  const store = useSessionStore()
  const [isOpen, setIsOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  const wished = useRef<Wish>(undefined)
  const open = useCallback((wish?: Wish) => {
    wished.current = wish
    setWasOpened(true)
    setIsOpen(true)
  }, [])
  const change = (isWanted: boolean) => {
    setIsOpen(isWanted)
    if (isWanted) return
    const session = store.getState()
    if (session.status === 'signedIn') wished.current?.(session.client)
    wished.current = undefined
  }
  return (
    <SignInContext value={open}>
      {children}
      {wasOpened && (
        <Suspense>
          <SignInDialog isOpen={isOpen} onOpenChange={change} />
        </Suspense>
      )}
    </SignInContext>
  )
}
