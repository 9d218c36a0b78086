import { Link, useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Button } from '../components/buttons/Button.tsx'
import { Skeleton } from '../components/page/Skeleton.tsx'
import { lazyPart } from '../data/connection/load-code.ts'
import { cx } from '../design/cx.ts'
import { ADDRESS_PLACE } from '../format/address.ts'
import { useSession } from '../session/SessionProvider.tsx'
import { useSignIn } from '../session/SignInProvider.tsx'
import { HeaderSearch } from './HeaderSearch.tsx'

const SignedIn = lazyPart(() => import('./account/SignedIn.tsx'))

const place =
  '-mb-px flex min-h-11 items-center border-b-2 md:min-h-14 border-transparent px-1 text-14 whitespace-nowrap text-ink-muted transition-colors hover:text-ink data-[status=active]:border-ink data-[status=active]:text-ink'

export function Header() {
  const session = useSession()
  const signIn = useSignIn()
  const { pathname } = useLocation()
  const isAdmin = session.status === 'signedIn' && session.owner.isAdmin
  return (
    <header className="sticky top-0 z-10 border-b border-line bg-ground print:hidden">
      <div className="mx-auto flex min-h-14 max-w-page flex-wrap items-center gap-x-4 xl:gap-x-6 px-4 sm:px-6">
        <Link to="/" className="flex min-h-11 items-center gap-2 font-semibold tracking-tight">
          <Wordmark />
          Agent Marketplace
        </Link>
        {/* A phone has room for five places only where they stand closer together. */}
        <nav
          aria-label="Main"
          className={cx(
            'order-last flex w-full max-md:flex-wrap md:order-none md:w-auto lg:gap-6',
            isAdmin ? 'gap-x-2 sm:gap-x-4' : 'gap-x-4',
          )}
        >
          <Link to="/" activeOptions={{ exact: true }} className={place}>
            Browse
          </Link>
          <Link to="/jobs" className={place}>
            Jobs
          </Link>
          <Link to="/sell" className={place}>
            Sell
          </Link>
          <Link to="/developers" className={place}>
            Developers
          </Link>
          {/* Narrower screens have no room for it: there it is under Developers, and in the footer. */}
          <Link to="/docs" className={cx(place, 'max-xl:hidden')}>
            Docs
          </Link>
          {isAdmin && (
            <Link to="/admin" className={place}>
              Admin
            </Link>
          )}
        </nav>
        <div className="ml-auto flex items-center gap-1">
          {pathname !== '/' && !pathname.startsWith('/docs') && <HeaderSearch />}
          {session.status === 'signedIn' && (
            <Suspense fallback={<SignedInPlace />}>
              <SignedIn wallet={session.wallet} />
            </Suspense>
          )}
          {session.status === 'restoring' && <SignedInPlace />}
          {session.status === 'signedOut' && (
            <Button look="primary" size="small" onClick={signIn}>
              Sign in
            </Button>
          )}
        </div>
      </div>
    </header>
  )
}

/** As wide as the bell and the account that will stand there: addresses all have the same length. */
function SignedInPlace() {
  return (
    <>
      <span className="size-11" />
      <span className="flex min-h-11 items-center gap-2 px-2">
        <Skeleton className="size-7 rounded-pill" />
        <span aria-hidden className="invisible hidden font-mono text-14 lg:inline">
          {ADDRESS_PLACE}
        </span>
      </span>
    </>
  )
}

function Wordmark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className="size-7">
      <rect width="32" height="32" rx="8" className="fill-ink" />
      <path
        d="M9 22V12.5L16 9l7 3.5V22"
        fill="none"
        strokeWidth="2.5"
        strokeLinejoin="round"
        className="stroke-ground"
      />
      <circle cx="16" cy="18" r="2.5" className="fill-ground" />
    </svg>
  )
}
