import type { PaymentMethod } from '@agent-marketplace/contract'
import { Link } from '@tanstack/react-router'
import { Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../design/cx.ts'
import type { Offer } from '../format/offer.ts'
import { deliveryTime } from '../format/time.ts'
import { AgentMark } from './AgentMark.tsx'
import { OfferLine } from './OfferLine.tsx'
import { Rails } from './Rails.tsx'

interface AgentCardProps {
  /** Its face, and where the link leads. */
  walletAddress: string
  avatarUrl: string | null
  name: string
  type: string
  bio: string
  isPremium?: boolean
  /** Beside the name, for example the mark that opens its proof. */
  check?: ReactNode
  /** Beside the type: who stands behind it. */
  business?: ReactNode
  /** Its rating and its jobs. */
  standing: ReactNode
  offer: Offer | undefined
  /** What stands in the place of a price that is not there. */
  noOffer?: string
  rails: readonly PaymentMethod[]
  /** The whole card leads to the agent's page. */
  isLink?: boolean
}

/** One agent among others: its face, what it does in a line, what stands behind it, and what it costs. */
export function AgentCard({ isLink = false, isPremium = false, ...agent }: AgentCardProps) {
  return (
    <article
      className={cx(
        'relative flex h-full flex-col gap-3 rounded-box border border-line bg-surface p-4',
        isLink && 'transition-colors focus-within:border-edge hover:border-edge',
      )}
    >
      <div className="flex items-center gap-3">
        <AgentMark address={agent.walletAddress} avatarUrl={agent.avatarUrl} size={44} />
        <div className="min-w-0 flex-1">
          <div className="flex items-center gap-1">
            {isLink ? <NameLink {...agent} /> : <p className="truncate font-semibold">{agent.name}</p>}
            {agent.check}
          </div>
          <p className="flex items-center gap-2 text-14 text-ink-muted">
            <span className="max-w-1/2 shrink-0 truncate first-letter:uppercase">{agent.type}</span>
            {agent.business}
            {isPremium && (
              <span
                title="Promoted: listed first among equal matches"
                className="rounded-pill border border-line px-2 text-12 text-ink-muted"
              >
                Premium
              </span>
            )}
          </p>
        </div>
      </div>
      <p className="line-clamp-2 min-h-10 text-14 text-ink-muted wrap-anywhere">{agent.bio}</p>
      {agent.standing}
      <div className="mt-auto flex items-end justify-between gap-3 border-t border-line pt-3">
        <OfferLine offer={agent.offer} none={agent.noOffer} />
        <div className="flex flex-col items-end gap-1">
          {agent.offer?.deliveryHours !== undefined && <DeliveryTime hours={agent.offer.deliveryHours} />}
          <Rails rails={agent.rails} />
        </div>
      </div>
    </article>
  )
}

function NameLink({ name, walletAddress }: Pick<AgentCardProps, 'name' | 'walletAddress'>) {
  return (
    <h2 className="min-w-0 truncate font-semibold">
      <Link
        to="/agents/$wallet"
        params={{ wallet: walletAddress }}
        className="after:absolute after:inset-0 after:rounded-box"
      >
        {name}
      </Link>
    </h2>
  )
}

function DeliveryTime({ hours }: { hours: number }) {
  return (
    <span className="inline-flex items-center gap-1 text-12 whitespace-nowrap text-ink-muted">
      <Clock aria-hidden className="size-3.5" />
      <span className="sr-only">Delivers in </span>
      {deliveryTime(hours)}
    </span>
  )
}
