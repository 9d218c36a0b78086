import { Type } from 'typebox'
import { type IntentKind, IntentRejected } from '../../../money/intents/intents.ts'
import { existingReview, type OnChainDeps } from './deps.ts'
import { followCounted } from './follow.ts'
import { addRound, findReviewedWork, saveFeedback } from './store.ts'

interface RevocationPayload {
  reviewId: string
  feedbackIndex: string
  txHash: string
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
      if (review.txHash !== txHash) throw new IntentRejected(`review ${reviewId} is not on chain as it was`)
      const { onChainAgentId } = await findReviewedWork(db, review.jobId)
      if (onChainAgentId === null) throw new IntentRejected(`agent ${review.agentId} is not registered`)
      return registry.revokeFeedback({ onChainAgentId, feedbackIndex: BigInt(feedbackIndex) })
    },
    async onSettled(tx, _intent, { reviewId }) {
      await addFeedbackToTotals(tx, (await existingReview(tx, reviewId)).agentId, -1)
      await saveFeedback(tx, reviewId, { txHash: null, index: null })
      await addRound(tx, reviewId, 1)
      const review = await existingReview(tx, reviewId)
      if (review.counted) await followCounted(tx, deps, review, null)
    },
    async onReverted(tx, _intent, { reviewId, feedbackIndex, txHash }) {
      const review = await existingReview(tx, reviewId)
      if (review.txHash !== null) return
      await addFeedbackToTotals(tx, review.agentId)
      await saveFeedback(tx, reviewId, { txHash, index: BigInt(feedbackIndex) })
      await addRound(tx, reviewId, -1)
    },
  }
}
