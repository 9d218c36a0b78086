import { Type } from 'typebox'
import { type IntentKind, IntentRejected, type NewIntent } from '../../money/intents/intents.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { ReputationCalls } from '../../ports/chain/port.ts'
import { findOnChainAgentId, findReview, type ReviewRow, saveFeedback } from './store.ts'

export interface FeedbackDeps {
  db: Queryable
  registry: ReputationCalls
  publicUrl: URL
  addFeedbackToTotals: (tx: Queryable, agentId: string, by?: 1 | -1) => Promise<void>
}

interface FeedbackPayload {
  reviewId: string
  agentWallet: string
}

const CHARGED_GAS = 300_000n

/**
 * One feedback per review, for ever; that of an agent in the order in which they were given. A client pays for it with
 * its gas budget, unless it waited for the payout: then the deposit has.
 */
export function feedbackIntent(review: ReviewRow, agentWallet: string, requestId: string | null): NewIntent {
  return {
    ...(requestId === null ? {} : { charge: { account: review.client_id, gas: CHARGED_GAS } }),
    kind: 'reputation.feedback',
    key: `reputation.feedback:${review.id}`,
    payload: { reviewId: review.id, agentWallet },
    requestId,
    lane: `feedback:${review.agent_id}`,
  }
}

/** Writes a review to the on-chain registry. The operator sends it, since it knows that the work was settled. */
export function feedbackKind(deps: FeedbackDeps): IntentKind<FeedbackPayload> {
  const { db, registry, publicUrl, addFeedbackToTotals } = deps
  const existing = async (queryable: Queryable, id: string): Promise<ReviewRow> => {
    const review = await findReview(queryable, id)
    if (!review) throw new IntentRejected(`there is no review ${id}`)
    return review
  }

  return {
    kind: 'reputation.feedback',
    payload: Type.Object({ reviewId: Type.String(), agentWallet: Type.String() }),
    sender: 'operator',
    finality: 'confirmed',
    async prepare({ reviewId, agentWallet }) {
      const review = await existing(db, reviewId)
      const onChainAgentId = await findOnChainAgentId(db, review.agent_id)
      // Any other error than a rejection means that it is tried again later.
      if (onChainAgentId === null) throw new Error(`agent ${review.agent_id} is not registered yet`)
      return registry.giveFeedback({
        onChainAgentId,
        stars: review.rating,
        feedbackUri: new URL(`/api/agents/${agentWallet}/reviews`, publicUrl).href,
      })
    },
    async onSettled(tx, _intent, { reviewId }, { txHash }) {
      const review = await existing(tx, reviewId)
      await saveFeedback(tx, reviewId, txHash)
      await addFeedbackToTotals(tx, review.agent_id)
    },
    async onReverted(tx, _intent, { reviewId }) {
      const review = await existing(tx, reviewId)
      if (review.tx_hash === null) return
      await saveFeedback(tx, reviewId, null)
      await addFeedbackToTotals(tx, review.agent_id, -1)
    },
  }
}
