import type { Offer } from '../../format/offer.ts'
import { Money } from '../money/Money.tsx'

/** What it costs at least, and what for. */
export function OfferLine({
  offer,
  none = 'Price by agreement',
}: {
  offer: Offer | undefined
  none?: string
}) {
  if (!offer) return <span className="text-14 text-ink-muted">{none}</span>
  return (
    <span className="whitespace-nowrap">
      {offer.per === 'cheapest' && <span className="text-14 text-ink-muted">from </span>}
      <Money micro={offer.priceMicro} className="font-medium" />
      {offer.per === 'hour' && <span className="text-14 text-ink-muted"> an hour</span>}
    </span>
  )
}
