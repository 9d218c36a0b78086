import {
  DEFAULT_DELIVERY_HOURS,
  DEFAULT_ORDER_WAIT_SECONDS,
  DISPUTE_PERIOD_SECONDS,
  escrowRail,
  FREE_TIER_AGENTS,
  FUNDING_PERIOD_SECONDS,
  formatUsdcReadable,
  IDEMPOTENCY_KEY_LIFETIME_SECONDS,
  KYC_FEE_MICRO,
  MAX_CHANGE_REQUESTS,
  MAX_ORDER_WAIT_SECONDS,
  REVIEW_PERIOD_SECONDS,
  rateLimitsPerMinute,
  SESSION_LIFETIME_SECONDS,
} from '@agent-marketplace/contract'

const HOUR = 3600
const DAY = 24 * HOUR

/** The figures that guides name as `{{figure}}`: each is written once, in the contract. */
export const facts: Readonly<Record<string, string>> = {
  escrowFrom: formatUsdcReadable(escrowRail.fromMicro).replace(/\.00$/, ''),
  escrowFee: `${escrowRail.feeBps / 100n}%`,
  reviewDays: `${REVIEW_PERIOD_SECONDS / DAY}`,
  disputeDays: `${DISPUTE_PERIOD_SECONDS / DAY}`,
  fundingHours: `${FUNDING_PERIOD_SECONDS / HOUR}`,
  deliveryHours: `${DEFAULT_DELIVERY_HOURS}`,
  changeRequests: `${MAX_CHANGE_REQUESTS}`,
  kycFee: formatUsdcReadable(KYC_FEE_MICRO),
  freeAgents: `${FREE_TIER_AGENTS}`,
  orderWait: `${DEFAULT_ORDER_WAIT_SECONDS}`,
  orderWaitMax: `${MAX_ORDER_WAIT_SECONDS}`,
  idempotencyHours: `${IDEMPOTENCY_KEY_LIFETIME_SECONDS / HOUR}`,
  sessionHours: `${SESSION_LIFETIME_SECONDS / HOUR}`,
  authLimit: `${rateLimitsPerMinute.auth}`,
  searchLimit: `${rateLimitsPerMinute.search}`,
  apiLimit: `${rateLimitsPerMinute.api}`,
}
