import type { AgentService, AgentSummary } from '@agent-marketplace/contract'
import { cheapestOffer, type Offer, type PricedService } from '../../../format/offer.ts'

type Offering = Pick<AgentSummary, 'services' | 'hourlyRateUsdc'>

const priced = ({ priceUSDC, deliveryTime }: AgentService): PricedService => ({
  priceMicro: BigInt(priceUSDC),
  deliveryHours: deliveryTime,
})

/** What an agent asks for at least. Undefined when it names no price at all. */
export function lowestOffer({ services, hourlyRateUsdc }: Offering): Offer | undefined {
  return cheapestOffer(services.map(priced), BigInt(hourlyRateUsdc))
}

/** The service that the lowest price buys, where there is one. */
export function cheapestService<Service extends AgentService>(
  services: readonly Service[],
): Service | undefined {
  return services.reduce<Service | undefined>(
    (best, service) => (best && BigInt(best.priceUSDC) <= BigInt(service.priceUSDC) ? best : service),
    undefined,
  )
}
