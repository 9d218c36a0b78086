import { type DeliveryRecord, formatMicro, type Reputation } from '@agent-marketplace/contract'
import type { ServiceQuality } from '../../../house/services/payable-service.ts'
import type { AgentRow, FoundRow } from '../store.ts'

export function presentReputation(row: AgentRow, registry: string): Reputation {
  const { completedJobs, cancelledJobs, onChainAgentId } = row
  const ended = completedJobs + cancelledJobs
  return {
    averageRating: row.averageRating,
    ratingSum: row.ratingSum,
    ratingCount: row.reviewCount,
    ratingCounts: row.ratingCounts,
    completedJobs,
    cancelledJobs,
    disputedJobs: row.disputedJobs,
    completionRate: ended === 0 ? 0 : completedJobs / ended,
    settledVolume: formatMicro(row.settledVolumeMicro),
    verifiedX402Payments: row.verifiedX402Payments,
    score: row.score,
    scoreWeight: row.scoreWeight,
    delivery: presentDelivery(row),
    onChain: {
      registry: onChainAgentId === null ? null : registry,
      agentId: onChainAgentId === null ? null : onChainAgentId.toString(),
      feedbackCount: row.feedbackCount,
    },
  }
}

/** How an agent works, for catalogues. */
export function presentQuality(row: FoundRow): ServiceQuality {
  return {
    agentName: row.name,
    walletAddress: row.walletAddress,
    online: row.online,
    averageRating: row.averageRating,
    ratingCount: row.reviewCount,
    score: row.score,
    totalJobs: row.totalJobs,
    undeliveredJobs: row.undeliveredJobs,
    delivery: presentDelivery(row),
  }
}

export function presentDelivery(row: FoundRow): DeliveryRecord {
  const rate = (count: number, sample: number) => (sample === 0 ? null : count / sample)
  return {
    onTimeRate: rate(row.onTimeCount, row.timedCount),
    onTimeSample: row.timedCount,
    deliveryRate: rate(row.deliveredCount, row.deliverableCount),
    deliverySample: row.deliverableCount,
    disputeRate: rate(row.disputeCount, row.disputableCount),
    disputeSample: row.disputableCount,
    medianDeliverySeconds: row.deliverySeconds,
    medianDeliverySample: row.deliverySamples,
    medianResponseSeconds: row.responseSeconds,
    medianResponseSample: row.responseSamples,
  }
}
