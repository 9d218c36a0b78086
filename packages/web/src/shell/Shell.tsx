import { Outlet, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { focusHeading } from '../components/page/page-heading.ts'
import { lazyPart } from '../data/connection/load-code.ts'
import { useConfig } from '../data/platform/config.ts'
import { cx } from '../design/cx.ts'
import { useSession } from '../session/SessionProvider.tsx'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { keepFocus } from './keep-focus.ts'
import { SandboxBar } from './sandbox/SandboxBar.tsx'
import { type PopupName, useKeys } from './useKeys.ts'

const KeyPopup = lazyPart(() => import('./KeyPopup.tsx'))
const NotificationFeed = lazyPart(() => import('./notifications/NotificationFeed.tsx'))

export function Shell() {
  const mode = useMode()
  const isSignedIn = useSession().status === 'signedIn'
  const [popup, setPopup] = useState<PopupName>()
  useKeys(setPopup)
  useFocusAfterNavigation()
  useEffect(keepFocus, [])
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only rounded-box bg-ink px-4 py-3 text-ground focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      {mode === 'sandbox' && <SandboxBar />}
      <Header />
      <main
        id="main"
        tabIndex={-1}
        className={cx(
          'mx-auto min-h-[calc(100dvh-3.5rem)] w-full max-w-page flex-1 px-4 py-8 sm:px-6',
          mode === undefined && 'invisible',
        )}
      >
        <Outlet />
      </main>
      <Footer />
      {isSignedIn && (
        <Suspense>
          <NotificationFeed />
        </Suspense>
      )}
      <ConnectionBanner />
      {popup && (
        <Suspense>
          <KeyPopup name={popup} onChange={setPopup} />
        </Suspense>
      )}
    </div>
  )
}

/** The service writes it into the document. Without it, as in development, the page waits for it, so that nothing jumps. */
function useMode(): string | undefined {
  const mode = useConfig()?.mode
  return mode ?? document.documentElement.dataset.mode
}

/** A new page is announced by the focus: its heading takes it, and <main> holds it until there is one. */
function useFocusAfterNavigation(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) focusHeading()
      }),
    [router],
  )
}
