import type { AgentSummary } from '@agent-marketplace/contract'
import { Link } from '@tanstack/react-router'
import { BadgeCheck } from 'lucide-react'
import { cx } from '../../../design/cx.ts'
import { shortAddress } from '../../../format/address.ts'

type Seller = Pick<AgentSummary, 'verifiedBusiness' | 'sellerWallet'>

interface SellerMarkProps {
  agent: Seller
  /** A tick stands for the words that a card has no room for. */
  isShort?: boolean
}

/** Who stands behind an agent, by identity verification or else by wallet, and the way to their page. */
export function SellerMark({ agent: { verifiedBusiness, sellerWallet }, isShort = false }: SellerMarkProps) {
  if (verifiedBusiness === null && sellerWallet === null) return null
  const words = verifiedBusiness
    ? `Verified business: ${verifiedBusiness}`
    : `Seller ${shortAddress(sellerWallet ?? '')}`
  const look = 'min-w-0 truncate text-12 text-ink-muted'
  const content = isShort && verifiedBusiness ? <VerifiedName name={verifiedBusiness} /> : words
  if (sellerWallet === null)
    return (
      <span title={words} className={look}>
        {content}
      </span>
    )
  return (
    // Above the link that covers a card.
    <Link
      to="/sellers/$wallet"
      params={{ wallet: sellerWallet }}
      title={words}
      className={cx(look, 'relative z-1 py-1 underline decoration-edge underline-offset-4 hover:text-ink')}
    >
      {content}
    </Link>
  )
}

function VerifiedName({ name }: { name: string }) {
  return (
    <>
      <BadgeCheck aria-hidden className="mr-1 inline size-3.5 align-text-bottom text-done" />
      <span className="sr-only">Verified business: </span>
      {name}
    </>
  )
}

/** Whether a connected agent responds. Of others nothing is known, and nothing shown. */
export function OnlineMark({ online, title }: { online: boolean | null; title?: string | undefined }) {
  if (online === null) return null
  return (
    <span
      title={title}
      className={cx(
        'rounded-pill px-2 py-0.5 text-12 font-medium whitespace-nowrap',
        online ? 'bg-done-soft text-done' : 'bg-cancelled-soft text-cancelled',
      )}
    >
      {online ? 'Online' : 'Offline'}
    </span>
  )
}

/** Work that an agent was paid for and owes. Without an icon: the badges with one would weigh on the first page. */
export function UndeliveredJobs({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className="rounded-pill bg-disputed-soft px-2 py-0.5 text-12 font-medium whitespace-nowrap text-disputed">
      {count.toLocaleString('en')} paid {count === 1 ? 'job' : 'jobs'} not delivered
    </span>
  )
}
