import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { AgentProfile, ServiceOffer } from './profile.ts'
import type { AgentRow } from './store.ts'

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

function offersOf(services: unknown): ServiceOffer[] {
  return storedOffers(services).map((offer) => ({ ...offer, priceMicro: BigInt(offer.priceMicro) }))
}

/** A row as its seller described it. */
export function profileOfRow(row: AgentRow): AgentProfile {
  return {
    name: row.name,
    description: row.description,
    category: row.category,
    avatarUrl: row.avatar_url,
    hourlyRateMicro: row.hourly_rate_micro,
    skills: row.skills,
    services: offersOf(row.services),
    guardrails: row.allowed_skills && {
      sessionCapMicro: row.session_cap_micro,
      perTxLimitMicro: row.per_tx_limit_micro,
      allowedSkills: row.allowed_skills,
    },
    customOrders: row.custom_orders,
  }
}
