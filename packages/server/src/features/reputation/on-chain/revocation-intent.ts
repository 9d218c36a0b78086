import type { NewIntent } from '../../../money/intents/intents.ts'
import type { ReviewRow } from '../store.ts'
import { laneOf } from './deps.ts'

/** Undefined for a review that is not on chain. */
export function revocationIntent(review: ReviewRow): NewIntent | undefined {
  const { id, feedbackIndex, feedbackRound, txHash } = review
  if (feedbackIndex === null || txHash === null) return undefined
  return {
    kind: 'reputation.revoke',
    key: `reputation.revoke:${id}:${feedbackRound}:${txHash}`,
    payload: { reviewId: id, feedbackIndex: feedbackIndex.toString(), txHash },
    requestId: null,
    lane: laneOf(review),
  }
}
