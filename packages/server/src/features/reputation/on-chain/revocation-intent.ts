import type { NewIntent } from '../../../money/intents/intents.ts'
import type { ReviewRow } from '../store.ts'
import { laneOf } from './deps.ts'

/** Undefined for a review that is not on chain. */
export function revocationIntent(review: ReviewRow): NewIntent | undefined {
  const { id, feedback_index, feedback_round, tx_hash } = review
  if (feedback_index === null || tx_hash === null) return undefined
  return {
    kind: 'reputation.revoke',
    key: `reputation.revoke:${id}:${feedback_round}:${tx_hash}`,
    payload: { reviewId: id, feedbackIndex: feedback_index.toString(), txHash: tx_hash },
    requestId: null,
    lane: laneOf(review),
  }
}
