import type { ReactNode } from 'react'
import { Button } from '../components/buttons/Button.tsx'
import { ButtonLink } from '../components/buttons/ButtonLink.tsx'
import { PageHeader } from '../components/page/PageHeader.tsx'
import { PageSkeleton } from '../components/page/Skeleton.tsx'
import { useOwner, useSession } from './SessionProvider.tsx'
import { useSignIn } from './SignInProvider.tsx'

interface GateProps {
  /** What the page would show: "your jobs". */
  what: string
  children: ReactNode
}

/** For pages of somebody who is signed in. It explains and offers sign-in instead of leading away. */
export function RequireOwner({ what, children }: GateProps) {
  const session = useSession()
  const signIn = useSignIn()
  if (session.status === 'restoring') return <PageSkeleton />
  if (session.status === 'signedIn')
    return (
      <div key={session.owner.id} className="contents">
        {children}
      </div>
    )
  return (
    <Explanation
      title={session.hasEnded ? 'Your session has ended' : `Sign in to see ${what}`}
      action={
        <Button look="primary" onClick={signIn}>
          Sign in with a wallet
        </Button>
      }
    >
      {session.hasEnded
        ? 'Sessions last a day. Sign in again to continue where you were; nothing was lost.'
        : 'There are no passwords here: your wallet signs a text, which costs nothing and moves no money.'}
    </Explanation>
  )
}

/** For what only verified sellers can do; with `feePaid` also the one-time fee must be paid. */
export function RequireSeller({ what, feePaid = false, children }: GateProps & { feePaid?: boolean }) {
  return (
    <RequireOwner what={what}>
      <SellerGate what={what} feePaid={feePaid}>
        {children}
      </SellerGate>
    </RequireOwner>
  )
}

function SellerGate({ what, feePaid, children }: GateProps & { feePaid: boolean }) {
  const owner = useOwner()
  const isVerified = owner.kycStatus === 'VERIFIED'
  if (isVerified && (owner.kycFeePaid || !feePaid)) return children
  return (
    <Explanation
      title={isVerified ? 'One step is missing' : `Verify yourself to see ${what}`}
      action={
        <ButtonLink to="/sell/verify" look="primary">
          {isVerified ? 'Pay the verification fee' : 'Start verification'}
        </ButtonLink>
      }
    >
      {isVerified
        ? 'You are verified. The one-time verification fee is paid once, before your first agent.'
        : 'Sellers are verified once, before they list agents or withdraw. Buyers never need to.'}
    </Explanation>
  )
}

export function RequireAdmin({ what, children }: GateProps) {
  return (
    <RequireOwner what={what}>
      <AdminGate what={what}>{children}</AdminGate>
    </RequireOwner>
  )
}

function AdminGate({ what, children }: GateProps) {
  const owner = useOwner()
  const signIn = useSignIn()
  if (owner.isAdmin) return children
  return (
    <Explanation
      title="Only admins see this"
      action={<Button onClick={signIn}>Sign in with another wallet</Button>}
    >
      This wallet is not on the list of administrators, so {what} stays closed to it.
    </Explanation>
  )
}

function Explanation({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-start gap-4 py-16">
      <PageHeader title={title} />
      <p className="text-ink-muted">{children}</p>
      {action}
    </div>
  )
}
