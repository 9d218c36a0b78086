import {
  type Agent,
  type AgentDetail,
  type AgentService,
  type AgentServiceDetail,
  type AgentSummary,
  type createAgent,
  type DeliveryRecord,
  defaultInputSchema,
  defaultOutputSchema,
  formatMicro,
  type Guardrails,
  type getAgent,
  type OwnAgent,
  type Reputation,
  type Review,
  type WalletCustody,
} from '@agent-marketplace/contract'
import type { ResponseOf } from '../../../platform/http/call.ts'
import { storedOffers } from '../offers.ts'
import { hiddenReasonsOf } from '../rules.ts'
import { storedTerms } from '../service-terms.ts'
import type { AgentRow, FoundRow, ListedRow } from '../store.ts'

/** What others have to say about an agent. */
export interface AgentHistory {
  reviews: Review[]
  portfolio: AgentDetail['portfolio']
}

export function presentAgent(row: ListedRow): Agent {
  return {
    id: row.id,
    walletAddress: row.wallet_address,
    name: row.name,
    description: row.description,
    category: row.category,
    avatarUrl: row.avatar_url,
    // Without a rate of its own the agent's lowest service price stands for it.
    hourlyRateUsdc: formatMicro(row.hourly_rate_micro ?? row.lowest_price_micro),
    averageRating: row.average_rating,
    totalJobs: row.total_jobs,
    approvalStatus: row.approval_status,
    undeliveredJobs: row.undelivered_jobs,
  }
}

function presentOffer(row: FoundRow, verifiedBusiness: string | null) {
  return {
    ...presentAgent(row),
    type: row.category,
    bio: row.description,
    skills: row.skills,
    services: presentServices(row.services),
    totalEarned: formatMicro(row.total_earned_micro),
    premium: row.is_premium,
    createdAt: row.created_at.toISOString(),
    customOrders: row.custom_orders,
    verifiedBusiness,
  }
}

function presentServices(services: unknown): AgentService[] {
  return storedOffers(services).map((offer) => ({
    id: offer.id,
    name: offer.name,
    priceUSDC: offer.priceMicro,
    deliveryTime: offer.deliveryHours,
    x402Enabled: offer.x402Enabled,
  }))
}

/** With all that each service promises: its own schemas, or the default ones. */
function presentServiceDetails(row: AgentRow): AgentServiceDetail[] {
  const terms = storedTerms(row.service_terms)
  return presentServices(row.services).map((service) => {
    const {
      description = null,
      included = [],
      inputSchema,
      outputSchema,
      examples = [],
    } = terms[service.id] ?? {}
    return {
      ...service,
      description,
      included,
      inputSchema: inputSchema ?? defaultInputSchema,
      outputSchema: outputSchema ?? defaultOutputSchema,
      inputRequired: inputSchema !== undefined,
      examples: examples.map(({ title = null, input, output }) => ({ title, input, output })),
    }
  })
}

export function presentSummary(row: FoundRow, verifiedBusiness: string | null): AgentSummary {
  return {
    ...presentOffer(row, verifiedBusiness),
    ratingCount: row.review_count,
    score: row.score,
    delivery: presentDelivery(row),
    onChainAgentId: row.on_chain_agent_id === null ? null : row.on_chain_agent_id.toString(),
  }
}

export interface DetailFacts {
  history: AgentHistory
  registry: string
  custody: WalletCustody
  isPrivy: boolean
  /** The legal name that identity verification vouches for. */
  verifiedBusiness: string | null
}

/** Strangers learn whether an agent is listed; why not is between the owner and the admins. */
export function presentDetail(
  row: AgentRow,
  { history, registry, custody: { isTee, statement }, isPrivy, verifiedBusiness }: DetailFacts,
): AgentDetail {
  const reasons = hiddenReasonsOf(row)
  const detail: AgentDetail = {
    ...presentOffer(row, verifiedBusiness),
    services: presentServiceDetails(row),
    paused: row.paused_by !== null,
    listing: { visible: reasons.length === 0, reasons: isPrivy ? reasons : [] },
    reputation: presentReputation(row, registry),
    reviews: history.reviews,
    portfolio: history.portfolio,
    rejectionReason: isPrivy ? row.rejection_reason : null,
    custody: { isTee, statement },
  }
  if (isPrivy) detail.guardrails = presentGuardrails(row)
  return detail
}

export function presentBothForms(row: AgentRow, detail: AgentDetail): ResponseOf<typeof getAgent> {
  return { a: { data: presentAgent(row) }, b: { data: { agent: detail } } }
}

export function presentReputation(row: AgentRow, registry: string): Reputation {
  const { completed_jobs, cancelled_jobs, on_chain_agent_id } = row
  const ended = completed_jobs + cancelled_jobs
  return {
    averageRating: row.average_rating,
    ratingSum: row.rating_sum,
    ratingCount: row.review_count,
    ratingCounts: row.rating_counts,
    completedJobs: completed_jobs,
    cancelledJobs: cancelled_jobs,
    disputedJobs: row.disputed_jobs,
    completionRate: ended === 0 ? 0 : completed_jobs / ended,
    settledVolume: formatMicro(row.settled_volume_micro),
    verifiedX402Payments: row.verified_x402_payments,
    score: row.score,
    scoreWeight: row.score_weight,
    delivery: presentDelivery(row),
    onChain: {
      registry: on_chain_agent_id === null ? null : registry,
      agentId: on_chain_agent_id === null ? null : on_chain_agent_id.toString(),
      feedbackCount: row.feedback_count,
    },
  }
}

function presentDelivery(row: FoundRow): DeliveryRecord {
  const rate = (count: number, sample: number) => (sample === 0 ? null : count / sample)
  return {
    onTimeRate: rate(row.on_time_count, row.timed_count),
    onTimeSample: row.timed_count,
    deliveryRate: rate(row.delivered_count, row.deliverable_count),
    deliverySample: row.deliverable_count,
    disputeRate: rate(row.dispute_count, row.disputable_count),
    disputeSample: row.disputable_count,
    medianDeliverySeconds: row.delivery_seconds,
    medianDeliverySample: row.delivery_samples,
    medianResponseSeconds: row.response_seconds,
    medianResponseSample: row.response_samples,
  }
}

function presentGuardrails(row: AgentRow): Guardrails | null {
  if (row.allowed_skills === null) return null
  return {
    sessionCapUsdc: row.session_cap_micro === null ? null : formatMicro(row.session_cap_micro),
    perTxLimitUsdc: row.per_tx_limit_micro === null ? null : formatMicro(row.per_tx_limit_micro),
    allowedSkills: row.allowed_skills,
  }
}

export function presentOwnAgent(row: AgentRow): OwnAgent {
  const reasons = hiddenReasonsOf(row)
  return {
    ...presentAgent(row),
    paused: row.paused_by !== null,
    listing: { visible: reasons.length === 0, reasons },
  }
}

export function presentCreated(row: AgentRow): ResponseOf<typeof createAgent> {
  const { id, name, walletAddress, approvalStatus, listing } = presentOwnAgent(row)
  const agent = { id, name, walletAddress, providerWalletId: row.provider_wallet_id, approvalStatus, listing }
  return { a: { data: presentAgent(row) }, b: { data: { agent } } }
}
