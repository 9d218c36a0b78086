import { DEFAULT_DELIVERY_HOURS, isAmlFlagged, railFor, splitPrice } from '@agent-marketplace/contract'
import { MIN_COUNTED_MICRO } from '@agent-marketplace/contract/rating'
import { unfunded } from './escrow-facts.ts'
import type { JobRow } from './job.ts'

import type { NewJob } from './read-new-job.ts'
import { fundByOf, type Hire } from './rules.ts'

/** A job as it begins: routed, priced and with its clocks set. */
export function openJob(
  id: string,
  given: NewJob,
  hire: Hire,
  {
    clientId,
    isVerified,
    paidInCall = false,
    now,
  }: { clientId: string; isVerified: boolean; paidInCall?: boolean; now: Date },
): Omit<JobRow, 'escrowKey'> {
  const { buyerProtection } = given
  const { method: paymentMethod, holdsMoney } = railFor(given.priceMicro, { buyerProtection })
  const { feeMicro, netMicro } = splitPrice(given.priceMicro, paymentMethod)
  return {
    id,
    agentId: hire.agentId,
    clientId,
    sellerId: hire.sellerId,
    clientWallet: hire.clientWallet,
    sellerWallet: hire.sellerWallet,
    agentWallet: hire.agentWallet,
    title: given.title,
    description: given.description,
    category: given.category,
    attachments: given.attachments,
    paymentMethod,
    priceMicro: given.priceMicro,
    feeMicro,
    netMicro,
    amlFlagged: isAmlFlagged(given.priceMicro, isVerified),
    counts: clientId !== hire.sellerId && given.priceMicro >= MIN_COUNTED_MICRO,
    deadlineAt: given.deadlineAt,
    createdAt: now,
    status: 'PENDING',
    decidedStatus: 'PENDING',
    decisions: 0,
    openIntents: [],
    depositIntent: null,
    fundBy: fundByOf(now, given.deadlineAt),
    dueAt: given.deadlineAt,
    reviewEndsAt: null,
    undecidedAt: null,
    changeRequests: 0,
    deadlineTold: false,
    deliveryCid: null,
    endedAt: null,
    escrowFacts: holdsMoney ? unfunded : null,
    serviceId: given.serviceId ?? null,
    deliveryHours: hire.serviceDeliveryHours ?? DEFAULT_DELIVERY_HOURS,
    buyerProtection: buyerProtection && !railFor(given.priceMicro).holdsMoney,
    needsAcceptance: given.serviceId === undefined && hire.customOrders === 'ON_REQUEST',
    paidInCall,
    paidAt: null,
    payerWallet: null,
    owedAt: null,
    undelivered: false,
    refundState: null,
    refundTxHash: null,
    refundedAt: null,
  }
}
