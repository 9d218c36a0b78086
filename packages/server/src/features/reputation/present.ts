import { type ExplainedReputation, formatMicro, type Review } from '@agent-marketplace/contract'
import { LOWEST_RATING, PRIOR_WEIGHT } from '@agent-marketplace/contract/rating'
import type { Arithmetic } from './score/score-store.ts'
import type { ReviewRow } from './store.ts'

export function presentReview(row: ReviewRow): Review {
  return {
    id: row.id,
    jobId: row.job_id,
    kind: row.kind,
    refunded: row.refunded,
    rating: row.rating,
    comment: row.comment,
    reply: row.reply,
    repliedAt: row.replied_at?.toISOString() ?? null,
    clientWallet: row.client_wallet,
    agreedPrice: formatMicro(row.price_micro),
    counted: row.counted,
    txHash: row.tx_hash,
    createdAt: row.created_at.toISOString(),
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
