import { Type } from 'typebox'
import { type IntentKind, IntentRejected, type NewIntent } from '../../../money/intents/intents.ts'
import type { ReviewRow } from '../store.ts'
import { existingReview, laneOf, type OnChainDeps } from './deps.ts'
import { feedbackIntent } from './feedback.ts'
import { addRound, findReviewedWork, saveFeedback } from './store.ts'

interface RevocationPayload {
  reviewId: string
  feedbackIndex: string
  txHash: string
}

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

/** Takes a feedback back whose review no longer counts. One that counts again later is written as a new feedback. */
export function revocationKind(deps: OnChainDeps): IntentKind<RevocationPayload> {
  const { db, registry, addFeedbackToTotals } = deps
  return {
    kind: 'reputation.revoke',
    payload: Type.Object({
      reviewId: Type.String(),
      feedbackIndex: Type.String({ pattern: '^[0-9]+$' }),
      txHash: Type.String(),
    }),
    sender: 'operator',
    finality: 'confirmed',
    async prepare({ reviewId, feedbackIndex, txHash }) {
      const review = await existingReview(db, reviewId)
      if (review.counted) throw new IntentRejected(`review ${reviewId} counts again`)
      if (review.tx_hash !== txHash) throw new IntentRejected(`review ${reviewId} is not on chain as it was`)
      const { onChainAgentId } = await findReviewedWork(db, review.job_id)
      if (onChainAgentId === null) throw new IntentRejected(`agent ${review.agent_id} is not registered`)
      return registry.revokeFeedback({ onChainAgentId, feedbackIndex: BigInt(feedbackIndex) })
    },
    async onSettled(tx, _intent, { reviewId }) {
      await saveFeedback(tx, reviewId, { txHash: null, index: null })
      await addRound(tx, reviewId, 1)
      const review = await existingReview(tx, reviewId)
      await addFeedbackToTotals(tx, review.agent_id, -1)
      if (!review.counted) return
      const { agentWallet } = await findReviewedWork(tx, review.job_id)
      await deps.intents.create(tx, feedbackIntent(review, agentWallet, null))
    },
    async onReverted(tx, _intent, { reviewId, feedbackIndex, txHash }) {
      const review = await existingReview(tx, reviewId)
      if (review.tx_hash !== null) return
      await saveFeedback(tx, reviewId, { txHash, index: BigInt(feedbackIndex) })
      await addRound(tx, reviewId, -1)
      await addFeedbackToTotals(tx, review.agent_id)
    },
  }
}
