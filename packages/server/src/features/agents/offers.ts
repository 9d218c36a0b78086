import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { ServiceOffer } from './profile.ts'
import { storedTerms } from './service-terms.ts'

const StoredOffer = Type.Object({
  id: Type.String(),
  name: Type.String(),
  priceMicro: Type.String({ pattern: '^[0-9]+$' }),
  deliveryHours: Type.Integer(),
  x402Enabled: Type.Boolean(),
})
export type StoredOffer = Static<typeof StoredOffer>

const validator = Compile(Type.Array(StoredOffer))

/** The services of a row, checked: the column holds JSON. */
export function storedOffers(services: unknown): StoredOffer[] {
  if (validator.Check(services)) return services
  throw new TypeError('The stored services of an agent do not fit their shape')
}

/** The services of a row, each with what it promises. */
export function offersOf(row: { services: unknown; serviceTerms: unknown }): ServiceOffer[] {
  const terms = storedTerms(row.serviceTerms)
  return storedOffers(row.services).map((offer) => ({
    ...offer,
    priceMicro: BigInt(offer.priceMicro),
    terms: terms[offer.id] ?? {},
  }))
}
