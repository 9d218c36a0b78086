import {
  type Agent,
  type AgentDetail,
  type AgentService,
  type AgentServiceDetail,
  type AgentSummary,
  type createAgent,
  defaultInputSchema,
  defaultOutputSchema,
  formatMicro,
  type Guardrails,
  type getAgent,
  type OwnAgent,
  type Review,
  type WalletCustody,
} from '@agent-marketplace/contract'
import type { KnownSeller } from '../../../house/sellers.ts'
import type { ResponseOf } from '../../../platform/http/call.ts'
import { storedOffers } from '../offers.ts'
import { hiddenReasonsOf } from '../rules.ts'
import { storedTerms } from '../service-terms.ts'
import type { AgentRow, FoundRow, ListedRow } from '../store.ts'
import { presentDelivery, presentReputation } from './present-record.ts'

/** What other features contribute to an agent. */
export interface AgentHistory {
  reviews: Review[]
  portfolio: AgentDetail['portfolio']
}

export function presentAgent(row: ListedRow): Agent {
  return {
    id: row.id,
    walletAddress: row.walletAddress,
    name: row.name,
    description: row.description,
    category: row.category,
    avatarUrl: row.avatarUrl,
    // Without a rate of its own, the agent's lowest service price takes its place.
    hourlyRateUsdc: formatMicro(row.hourlyRateMicro ?? row.lowestPriceMicro),
    averageRating: row.averageRating,
    totalJobs: row.totalJobs,
    approvalStatus: row.approvalStatus,
    undeliveredJobs: row.undeliveredJobs,
    online: row.online,
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    medianFirstProgressSeconds: row.firstProgressSeconds,
  }
}

function presentOffer(row: FoundRow, { verifiedBusiness, walletAddress: sellerWallet }: KnownSeller) {
  return {
    ...presentAgent(row),
    type: row.category,
    bio: row.description,
    skills: row.skills,
    services: presentServices(row.services),
    totalEarned: formatMicro(row.totalEarnedMicro),
    premium: row.isPremium,
    createdAt: row.createdAt.toISOString(),
    customOrders: row.customOrders,
    language: row.language,
    verifiedBusiness,
    // The token in the registry is the seller's, or soon is: from then on everybody can read who holds it.
    sellerWallet: row.onChainAgentId === null ? null : sellerWallet,
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
  const terms = storedTerms(row.serviceTerms)
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

export function presentSummary(row: FoundRow, seller: KnownSeller): AgentSummary {
  return {
    ...presentOffer(row, seller),
    ratingCount: row.reviewCount,
    score: row.score,
    delivery: presentDelivery(row),
    onChainAgentId: row.onChainAgentId === null ? null : row.onChainAgentId.toString(),
    sampleTitle: row.sampleTitle,
  }
}

export interface DetailFacts {
  history: AgentHistory
  registry: string
  custody: WalletCustody
  isPrivy: boolean
  seller: KnownSeller
}

/** Anyone can see whether an agent is listed; only the owner and admins see why not. */
export function presentDetail(
  row: AgentRow,
  { history, registry, custody: { isTee, statement }, isPrivy, seller }: DetailFacts,
): AgentDetail {
  const reasons = hiddenReasonsOf(row)
  const detail: AgentDetail = {
    ...presentOffer(row, seller),
    services: presentServiceDetails(row),
    paused: row.pausedBy !== null,
    listing: { visible: reasons.length === 0, reasons: isPrivy ? reasons : [] },
    reputation: presentReputation(row, registry),
    reviews: history.reviews,
    portfolio: history.portfolio,
    rejectionReason: isPrivy ? row.rejectionReason : null,
    custody: { isTee, statement },
  }
  if (isPrivy) detail.guardrails = presentGuardrails(row)
  return detail
}

export function presentBothForms(row: AgentRow, detail: AgentDetail): ResponseOf<typeof getAgent> {
  return { a: { data: presentAgent(row) }, b: { data: { agent: detail } } }
}

function presentGuardrails(row: AgentRow): Guardrails | null {
  if (row.allowedSkills === null) return null
  return {
    sessionCapUsdc: row.sessionCapMicro === null ? null : formatMicro(row.sessionCapMicro),
    perTxLimitUsdc: row.perTxLimitMicro === null ? null : formatMicro(row.perTxLimitMicro),
    allowedSkills: row.allowedSkills,
  }
}

export function presentOwnAgent(row: AgentRow): OwnAgent {
  const reasons = hiddenReasonsOf(row)
  return {
    ...presentAgent(row),
    paused: row.pausedBy !== null,
    listing: { visible: reasons.length === 0, reasons },
  }
}

export function presentCreated(row: AgentRow): ResponseOf<typeof createAgent> {
  const { id, name, walletAddress, approvalStatus, listing } = presentOwnAgent(row)
  const agent = { id, name, walletAddress, providerWalletId: row.providerWalletId, approvalStatus, listing }
  return { a: { data: presentAgent(row) }, b: { data: { agent } } }
}
