import { cheapestOffer, type Offer, type PricedService } from '../../../format/offer.ts'
import type { AgentValues } from './agent-values.ts'

type Priced = Pick<AgentValues, 'services' | 'hourlyRateMicro'>

/** The services whose price is written already. */
const pricedServices = ({ services }: Pick<Priced, 'services'>): PricedService[] =>
  services.flatMap(({ priceMicro, deliveryHours }) =>
    typeof priceMicro === 'bigint' && priceMicro > 0n
      ? [{ priceMicro, deliveryHours: Number.isInteger(deliveryHours) ? deliveryHours : undefined }]
      : [],
  )

/** What the card will say about the price. */
export function previewOffer(values: Priced): Offer | undefined {
  return cheapestOffer(pricedServices(values), values.hourlyRateMicro ?? 0n)
}
