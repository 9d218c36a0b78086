import { formatMicro, type Seller } from '@agent-marketplace/contract'
import type { FoundSeller } from './service.ts'

const rateOf = (count: number, sample: number): number | null => (sample === 0 ? null : count / sample)

/** A wallet, a verified name and sums: nothing else of an owner is public. */
export function presentSeller({
  walletAddress,
  verifiedBusiness,
  sellingSince,
  record,
}: FoundSeller): Seller {
  const { ratingSum, reviewCount } = record
  return {
    walletAddress,
    verifiedBusiness,
    sellingSince: sellingSince.toISOString(),
    listedAgents: record.listedCount,
    averageRating: rateOf(ratingSum, reviewCount) ?? 0,
    ratingSum,
    ratingCount: reviewCount,
    completedJobs: record.completedJobs,
    cancelledJobs: record.cancelledJobs,
    settledVolume: formatMicro(record.settledVolumeMicro),
    onTimeRate: rateOf(record.onTimeCount, record.timedCount),
    onTimeSample: record.timedCount,
    deliveryRate: rateOf(record.deliveredCount, record.deliverableCount),
    deliverySample: record.deliverableCount,
    disputeRate: rateOf(record.disputeCount, record.disputableCount),
    disputeSample: record.disputableCount,
  }
}
