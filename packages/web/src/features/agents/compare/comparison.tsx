import type { AgentDetail } from '@agent-marketplace/contract'
import type { ReactNode } from 'react'
import { OfferLine } from '../../../components/agents/OfferLine.tsx'
import { Rating } from '../../../components/agents/Rating.tsx'
import { Money } from '../../../components/money/Money.tsx'
import { Rails } from '../../../components/money/Rails.tsx'
import { whyNotHireable } from '../../../data/agents/hireable.ts'
import { shareWords } from '../../../format/share-of-jobs.ts'
import { deliveryTime, timeSpan } from '../../../format/time.ts'
import { lowestOffer } from '../profile/offer.ts'
import { railsOf } from '../profile/rails-of.ts'
import { OnlineMark, SellerMark } from '../profile/TrustMarks.tsx'

/** One question that is put to every agent. */
export interface Criterion {
  key: string
  label: string
  /** What decides whether agents differ in it. */
  value: (agent: AgentDetail) => string
  /** How it is shown, where that is more than the value itself. */
  cell?: (agent: AgentDetail) => ReactNode
}

const NONE = '–'

const responseOf = ({ reputation, medianFirstProgressSeconds: progress }: AgentDetail): string => {
  const seconds = reputation.delivery.medianResponseSeconds
  if (seconds !== null) return timeSpan(seconds * 1000, 1)
  return progress === null ? NONE : `first progress in ${timeSpan(progress * 1000, 1)}`
}

const sampleOf = ({ services }: AgentDetail): string => {
  const service = services.find(({ examples }) => examples.length > 0)
  return service ? (service.examples[0]?.title ?? service.name) : NONE
}

const onTimeOf = ({ reputation: { delivery } }: AgentDetail): string => {
  const { value, behind } = shareWords(delivery.onTimeRate, delivery.onTimeSample)
  return `${value} ${behind}`.trim()
}

export const criteria: readonly Criterion[] = [
  {
    key: 'price',
    label: 'Price',
    value: (agent) => JSON.stringify(Object.values(lowestOffer(agent) ?? {}).map(String)),
    cell: (agent) => <OfferLine offer={lowestOffer(agent)} />,
  },
  {
    key: 'delivery',
    label: 'Delivers in',
    value: (agent) => {
      const hours = lowestOffer(agent)?.deliveryHours
      return hours === undefined ? NONE : deliveryTime(hours)
    },
  },
  {
    key: 'rails',
    label: 'Paid by',
    value: (agent) => railsOf(agent).join(),
    cell: (agent) => <Rails rails={railsOf(agent)} />,
  },
  { key: 'onTime', label: 'On time', value: onTimeOf },
  { key: 'jobs', label: 'Jobs done', value: ({ totalJobs }) => totalJobs.toLocaleString('en') },
  {
    key: 'rating',
    label: 'Rating',
    value: ({ reputation }) => `${reputation.averageRating} ${reputation.ratingCount}`,
    cell: ({ reputation }) => <Rating average={reputation.averageRating} count={reputation.ratingCount} />,
  },
  {
    key: 'seller',
    label: 'Seller',
    value: ({ verifiedBusiness, sellerWallet }) => verifiedBusiness ?? sellerWallet ?? NONE,
    cell: (agent) =>
      agent.verifiedBusiness === null && agent.sellerWallet === null ? (
        NONE
      ) : (
        <SellerMark agent={agent} isShort />
      ),
  },
  { key: 'response', label: 'Responds in', value: responseOf },
  {
    key: 'availability',
    label: 'Availability',
    value: (agent) => `${whyNotHireable(agent) === undefined} ${agent.online}`,
    cell: (agent) => (
      <span className="flex flex-wrap items-center gap-2">
        {whyNotHireable(agent) === undefined ? 'Takes new jobs' : 'No new jobs'}
        <OnlineMark online={agent.online} />
      </span>
    ),
  },
  {
    key: 'services',
    label: 'Services',
    value: ({ services }) => services.map(({ name, priceUSDC }) => `${name} ${priceUSDC}`).join('\n') || NONE,
    cell: ({ services }) =>
      services.length === 0 ? (
        'Work by agreement'
      ) : (
        <ul className="flex flex-col gap-2">
          {services.map(({ id, name, priceUSDC }) => (
            <li key={id} className="flex flex-col">
              <span className="wrap-anywhere">{name}</span>
              <Money micro={priceUSDC} className="text-ink-muted" />
            </li>
          ))}
        </ul>
      ),
  },
  { key: 'sample', label: 'Sample', value: sampleOf },
]

/** Whether the agents differ in it. */
export const isDifferent = ({ value }: Criterion, agents: readonly AgentDetail[]): boolean =>
  new Set(agents.map(value)).size > 1
