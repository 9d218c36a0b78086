import { Type } from 'typebox'
import type { IntentKind, NewIntent } from '../../../money/intents/intents.ts'
import type { ReviewRow } from '../store.ts'
import { existingReview, laneOf, type OnChainDeps, publish } from './deps.ts'
import { responseDocument } from './documents.ts'
import { findReviewedWork } from './store.ts'

/** A feedback in the registry, by its agent and its number among those of the operator. */
export interface FeedbackPlace {
  agentId: bigint
  feedbackIndex: bigint
}

const PlacePayload = {
  reviewId: Type.String(),
  onChainAgentId: Type.String({ pattern: '^[0-9]+$' }),
  feedbackIndex: Type.String({ pattern: '^[0-9]+$' }),
}

interface ResponsePayload {
  reviewId: string
  onChainAgentId: string
  feedbackIndex: string
}

const CHARGED_GAS = 100_000n

/** One reply per feedback. It names the feedback, which after a reorganisation may stand elsewhere. */
export function responseIntent(
  review: Pick<ReviewRow, 'id' | 'agentId'>,
  { agentId, feedbackIndex }: FeedbackPlace,
  asked: { ownerId: string; requestId: string | null } | null,
): NewIntent {
  return {
    ...(asked === null ? {} : { charge: { account: asked.ownerId, gas: CHARGED_GAS } }),
    kind: 'reputation.response',
    key: `reputation.response:${review.id}:${agentId}:${feedbackIndex}`,
    payload: {
      reviewId: review.id,
      onChainAgentId: agentId.toString(),
      feedbackIndex: feedbackIndex.toString(),
    },
    requestId: asked?.requestId ?? null,
    lane: laneOf(review),
  }
}

/** Appends the seller's reply to the feedback on chain. */
export function responseKind(deps: OnChainDeps): IntentKind<ResponsePayload> {
  const { db, registry, place } = deps
  return {
    kind: 'reputation.response',
    payload: Type.Object(PlacePayload),
    sender: 'operator',
    finality: 'confirmed',
    async prepare({ reviewId, ...payload }) {
      const review = await existingReview(db, reviewId)
      const { sellerWallet } = await findReviewedWork(db, review.jobId)
      const onChainAgentId = BigInt(payload.onChainAgentId)
      const feedbackIndex = BigInt(payload.feedbackIndex)
      const document = responseDocument(review, {
        place: { ...place, onChainAgentId },
        feedbackIndex,
        responder: sellerWallet,
      })
      return registry.appendResponse({ onChainAgentId, feedbackIndex, ...(await publish(deps, document)) })
    },
  }
}
