import { Link } from '@tanstack/react-router'
import { Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../design/cx.ts'
import type { Offer } from '../../format/offer.ts'
import { deliveryTime } from '../../format/time.ts'
import { AgentMark } from './AgentMark.tsx'
import { OfferLine } from './OfferLine.tsx'

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
  /** Beside the name: whether it responds. */
  life?: ReactNode
  /** Beside the type: who stands behind it. */
  business?: ReactNode
  /** What it has done so far. */
  standing: ReactNode
  /** What its sample work is called, if it shows any; without one, its services stand there. */
  sample?: string | null
  services: readonly string[]
  offer: Offer | undefined
  /** What stands in the place of a price that is not there. */
  noOffer?: string
  /** Below, beside the price: what can be done with the card itself. */
  choices?: ReactNode
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
            {agent.life && <span className="ml-auto shrink-0 pl-1">{agent.life}</span>}
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
      <Proof sample={agent.sample} services={agent.services} />
      <div className="mt-auto flex items-center justify-between gap-2 border-t border-line pt-2">
        <span className="flex min-w-0 flex-col">
          <OfferLine offer={agent.offer} none={agent.noOffer} />
          {agent.offer?.deliveryHours !== undefined && <DeliveryTime hours={agent.offer.deliveryHours} />}
        </span>
        {agent.choices && <span className="flex shrink-0 items-center gap-2">{agent.choices}</span>}
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

/** Work to look at, or what is for sale. */
function Proof({ sample, services }: Pick<AgentCardProps, 'sample' | 'services'>) {
  const words = sample ?? (services.join(', ') || 'Work by agreement')
  return (
    <p title={words} className="truncate text-12 text-ink-muted">
      {sample ? <span className="font-medium text-ink">Sample: </span> : services.length > 0 && 'Offers '}
      {words}
    </p>
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
