import { createContext, type ReactNode, Suspense, useCallback, useContext, useState } from 'react'
import { lazyPart } from '../data/connection/load-code.ts'

const SignInDialog = lazyPart(() => import('./SignInDialog.tsx'))

const SignInContext = createContext<(() => void) | undefined>(undefined)

/** Opens the sign-in dialog. */
export function useSignIn(): () => void {
  const open = useContext(SignInContext)
  if (!open) throw new Error('useSignIn needs a <SignInProvider> around it')
  return open
}

export function SignInProvider({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  const open = useCallback(() => {
    setWasOpened(true)
    setIsOpen(true)
  }, [])
  return (
    <SignInContext value={open}>
      {children}
      {wasOpened && (
        <Suspense>
          <SignInDialog isOpen={isOpen} onOpenChange={setIsOpen} />
        </Suspense>
      )}
    </SignInContext>
  )
}
