import type { AgentSummary } from '@agent-marketplace/contract'
import { Link } from '@tanstack/react-router'
import { cx } from '../design/cx.ts'
import { shortAddress } from '../format/address.ts'

type Seller = Pick<AgentSummary, 'verifiedBusiness' | 'sellerWallet'>

/** Who stands behind an agent, by identity verification or else by wallet, and the way to their page. */
export function SellerMark({ agent: { verifiedBusiness, sellerWallet } }: { agent: Seller }) {
  if (verifiedBusiness === null && sellerWallet === null) return null
  const words = verifiedBusiness
    ? `Verified business: ${verifiedBusiness}`
    : `Seller ${shortAddress(sellerWallet ?? '')}`
  const look = 'min-w-0 truncate text-12 text-ink-muted'
  if (sellerWallet === null)
    return (
      <span title={words} className={look}>
        {words}
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
      {words}
    </Link>
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
