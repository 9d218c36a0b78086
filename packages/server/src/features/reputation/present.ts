import { type ExplainedReputation, formatMicro, type Review } from '@agent-marketplace/contract'
import { LOWEST_RATING, PRIOR_WEIGHT } from '@agent-marketplace/contract/rating'
import type { Arithmetic } from './score/score-store.ts'
import type { ReviewRow } from './store.ts'

export function presentReview(row: ReviewRow): Review {
  return {
    id: row.id,
    jobId: row.jobId,
    kind: row.kind,
    refunded: row.refunded,
    rating: row.rating,
    comment: row.comment,
    reply: row.reply,
    repliedAt: row.repliedAt?.toISOString() ?? null,
    clientWallet: row.clientWallet,
    agreedPrice: formatMicro(row.priceMicro),
    counted: row.counted,
    txHash: row.txHash,
    createdAt: row.createdAt.toISOString(),
  }
}

export function presentArithmetic(known: Arithmetic | undefined): ExplainedReputation['arithmetic'] {
  const reviews = known?.reviews ?? []
  return {
    formula: '(priorWeight · priorRating + Σ weight · rating) / (priorWeight + Σ weight)',
    priorRating: LOWEST_RATING,
    priorWeight: PRIOR_WEIGHT,
    reviews: reviews.map(({ id, exclusion, ...weighed }) => ({
      reviewId: id,
      ...weighed,
      notCountedBecause: exclusion,
    })),
    notCounted: known?.notCounted ?? {},
  }
}
