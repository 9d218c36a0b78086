import { MAX_BODY_BYTES } from '../base/lengths.ts'
import { rateLimitsPerMinute } from '../base/limits.ts'
import { formatMicro, MAX_AMOUNT_MICRO } from './money.ts'
import {
  AML_FLAG_MICRO,
  DISPUTE_PERIOD_SECONDS,
  FREE_TIER_AGENTS,
  FUNDING_PERIOD_SECONDS,
  flatPlanPricesMicro,
  KYC_FEE_MICRO,
  MAX_AGENT_QUOTA,
  MAX_CHANGE_REQUESTS,
  quotaTiers,
  REVIEW_PERIOD_SECONDS,
  type SubscriptionPlan,
  subscriptionPlans,
} from './pricing.ts'
import { escrowRail, x402Rail } from './rails.ts'

export interface PlanTerms {
  plan: SubscriptionPlan
  /** Null for AGENT_QUOTA, whose price follows the tiers. */
  price: string | null
  /** Empty for the plans that have one price. */
  tiers: { upToAgents: number; pricePerAgent: string }[]
}

/** The terms that `GET /api/config` publishes, made from the same constants that the rules use. */
export const publicLimits = {
  requestsPerMinute: rateLimitsPerMinute,
  maxBodyBytes: MAX_BODY_BYTES,
  maxAmount: formatMicro(MAX_AMOUNT_MICRO),
  freeTierAgents: FREE_TIER_AGENTS,
  maxAgentQuota: MAX_AGENT_QUOTA,
  escrowThreshold: formatMicro(escrowRail.fromMicro),
  amlFlag: formatMicro(AML_FLAG_MICRO),
  fundingPeriodSeconds: FUNDING_PERIOD_SECONDS,
  reviewPeriodSeconds: REVIEW_PERIOD_SECONDS,
  disputePeriodSeconds: DISPUTE_PERIOD_SECONDS,
  maxChangeRequests: MAX_CHANGE_REQUESTS,
}

export const publicFees = {
  escrowBps: Number(escrowRail.feeBps),
  x402Bps: Number(x402Rail.feeBps),
  kycFee: formatMicro(KYC_FEE_MICRO),
}

export const publicPlans: PlanTerms[] = subscriptionPlans.map((plan) =>
  plan === 'AGENT_QUOTA'
    ? {
        plan,
        price: null,
        tiers: quotaTiers.map((tier) => ({
          upToAgents: tier.upToAgents,
          pricePerAgent: formatMicro(tier.pricePerAgentMicro),
        })),
      }
    : { plan, price: formatMicro(flatPlanPricesMicro[plan]), tiers: [] },
)
