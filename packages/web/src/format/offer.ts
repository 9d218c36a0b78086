/** A service with its price, whether it is listed already or still being written. */
export interface PricedService {
  priceMicro: bigint
  deliveryHours: number | undefined
}

export interface Offer {
  priceMicro: bigint
  /** What the price buys: one service, the cheapest of several, or an hour. */
  per: 'service' | 'cheapest' | 'hour'
  /** Hours from payment to delivery, where the seller promises them. */
  deliveryHours: number | undefined
}

/** The lowest price: the cheapest service, or else an hour. Undefined when there is no price at all. */
export function cheapestOffer(
  services: readonly PricedService[],
  hourlyRateMicro: bigint,
): Offer | undefined {
  const cheapest = services.reduce<PricedService | undefined>(
    (best, service) => (best && best.priceMicro <= service.priceMicro ? best : service),
    undefined,
  )
  if (cheapest) return { ...cheapest, per: services.length === 1 ? 'service' : 'cheapest' }
  if (hourlyRateMicro === 0n) return undefined
  return { priceMicro: hourlyRateMicro, per: 'hour', deliveryHours: undefined }
}
