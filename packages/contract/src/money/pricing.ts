import { MICRO_PER_USDC } from './money.ts'
import { type PaymentMethod, type RailWish, railFor, railOf } from './rails.ts'

/** Jobs from this price on, by buyers without KYC, are marked for AML review. The mark never blocks. */
export const AML_FLAG_MICRO = 5_000n * MICRO_PER_USDC
/** The one-time fee that a seller pays with verification. */
export const KYC_FEE_MICRO = 5n * MICRO_PER_USDC

export const REVIEW_PERIOD_SECONDS = 7 * 24 * 3600
export const FUNDING_PERIOD_SECONDS = 24 * 3600
/** Long enough for a wallet with several signers; the price is the buyer's own and does not age. */
export const QUOTE_LIFETIME_SECONDS = 3600
export const DEADLINE_GRACE_SECONDS = 24 * 3600
export const DISPUTE_PERIOD_SECONDS = 30 * 24 * 3600
export const MAX_CHANGE_REQUESTS = 2
/** How long a paid x402 job may take where neither the client nor the service names a time. */
export const DEFAULT_DELIVERY_HOURS = 72
export const MAX_DEADLINE_HOURS = 8760

export const FREE_TIER_AGENTS = 1
export const MAX_AGENT_QUOTA = 10_000

export const paymentMethodFor = (priceMicro: bigint, wish?: RailWish): PaymentMethod =>
  railFor(priceMicro, wish).method

export interface PriceSplit {
  feeMicro: bigint
  netMicro: bigint
}

/** The fee is rounded down and the agent gets all the rest, so that fee + net is the price to the unit. */
export function splitPrice(priceMicro: bigint, method: PaymentMethod): PriceSplit {
  const feeMicro = (priceMicro * railOf(method).feeBps) / 10_000n
  return { feeMicro, netMicro: priceMicro - feeMicro }
}

export function isAmlFlagged(priceMicro: bigint, buyerVerified: boolean): boolean {
  return !buyerVerified && priceMicro >= AML_FLAG_MICRO
}

/** The price curve: each agent costs what its own tier says. The 100th agent is in the fourth tier, the 101st in the last. */
export const quotaTiers: readonly { upToAgents: number; pricePerAgentMicro: bigint }[] = [
  { upToAgents: 10, pricePerAgentMicro: 1_000_000n },
  { upToAgents: 30, pricePerAgentMicro: 850_000n },
  { upToAgents: 50, pricePerAgentMicro: 700_000n },
  { upToAgents: 100, pricePerAgentMicro: 550_000n },
  { upToAgents: MAX_AGENT_QUOTA, pricePerAgentMicro: 400_000n },
]

/** What `agentQuota` agents cost per period, summed across the tiers. */
export function priceForQuota(agentQuota: number): bigint {
  if (!Number.isInteger(agentQuota) || agentQuota < 1 || agentQuota > MAX_AGENT_QUOTA) {
    throw new RangeError(`agentQuota must be a whole number from 1 to ${MAX_AGENT_QUOTA}`)
  }
  let priceMicro = 0n
  let pricedAgents = 0
  for (const tier of quotaTiers) {
    const agentsInTier = Math.min(agentQuota, tier.upToAgents) - pricedAgents
    priceMicro += BigInt(agentsInTier) * tier.pricePerAgentMicro
    pricedAgents += agentsInTier
  }
  return priceMicro
}

export const subscriptionPlans = ['AGENT_QUOTA', 'PREMIUM_LISTING', 'API_ACCESS', 'ENTERPRISE'] as const
export type SubscriptionPlan = (typeof subscriptionPlans)[number]

/** Price per period of the plans that have one price. AGENT_QUOTA follows the curve above. */
export const flatPlanPricesMicro = {
  PREMIUM_LISTING: 10n * MICRO_PER_USDC,
  API_ACCESS: 25n * MICRO_PER_USDC,
  ENTERPRISE: 500n * MICRO_PER_USDC,
} as const satisfies Record<Exclude<SubscriptionPlan, 'AGENT_QUOTA'>, bigint>

/** What an upgrade costs now: the price difference for the rest of the running period, rounded down. */
export function proratedUpgradeMicro(input: {
  oldPriceMicro: bigint
  newPriceMicro: bigint
  remainingSeconds: bigint
  periodSeconds: bigint
}): bigint {
  const { oldPriceMicro, newPriceMicro, remainingSeconds, periodSeconds } = input
  return ((newPriceMicro - oldPriceMicro) * remainingSeconds) / periodSeconds
}
