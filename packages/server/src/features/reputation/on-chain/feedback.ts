import { Type } from 'typebox'
import type { IntentKind, NewIntent } from '../../../money/intents/intents.ts'
import type { ReviewRow } from '../store.ts'
import { existingReview, laneOf, type OnChainDeps, publish } from './deps.ts'
import { feedbackDocument } from './documents.ts'
import { responseIntent } from './response.ts'
import { revocationIntent } from './revocation-intent.ts'
import { findPayment, findReviewedWork, saveFeedback } from './store.ts'

interface FeedbackPayload {
  reviewId: string
  agentWallet: string
}

const CHARGED_GAS = 300_000n
/** Connections between wallets may come and go; the platform pays for no more than so many feedbacks on one review. */
const MOST_ROUNDS = 3

/**
 * One feedback per review and round; that of an agent in the order in which they were given. A client pays for it with
 * its gas budget, unless it waited for the payout: then the deposit has. Undefined for a review that was revoked too often.
 */
export function feedbackIntent(
  review: ReviewRow,
  agentWallet: string,
  requestId: string | null,
): NewIntent | undefined {
  if (review.feedbackRound >= MOST_ROUNDS) return undefined
  const round = review.feedbackRound === 0 ? '' : `:${review.feedbackRound}`
  return {
    ...(requestId === null ? {} : { charge: { account: review.clientId, gas: CHARGED_GAS } }),
    kind: 'reputation.feedback',
    key: `reputation.feedback:${review.id}${round}`,
    payload: { reviewId: review.id, agentWallet },
    requestId,
    lane: laneOf(review),
  }
}

/** Writes a review to the on-chain registry. The operator sends it, since it knows that the work was paid for. */
export function feedbackKind(deps: OnChainDeps): IntentKind<FeedbackPayload> {
  const { db, registry, place, publicUrl, addFeedbackToTotals } = deps
  return {
    kind: 'reputation.feedback',
    payload: Type.Object({ reviewId: Type.String(), agentWallet: Type.String() }),
    sender: 'operator',
    finality: 'confirmed',
    async prepare({ reviewId, agentWallet }) {
      const review = await existingReview(db, reviewId)
      const { category, onChainAgentId } = await findReviewedWork(db, review.jobId)
      const payment = await findPayment(db, review.jobId)
      // Any other error than a rejection means that it is tried again later.
      if (onChainAgentId === null) throw new Error(`agent ${review.agentId} is not registered yet`)
      if (!payment) throw new Error(`the payment of job ${review.jobId} is not on chain yet`)
      const terms = {
        ...registry.valueOf(review.rating),
        tag2: category,
        endpoint: new URL(`/agents/${agentWallet}`, publicUrl).href,
      }
      const document = feedbackDocument(review, { place: { ...place, onChainAgentId }, terms, payment })
      return registry.giveFeedback({ onChainAgentId, ...terms, ...(await publish(deps, document)) })
    },
    async onSettled(tx, intent, { reviewId }, { txHash, events }) {
      const given = events.find((event) => event.name === 'FeedbackGiven')
      if (!given) throw new Error(`The transaction of ${intent.key} gave no feedback`)
      // The agent first, then its review, as everywhere that both are needed.
      await addFeedbackToTotals(tx, (await existingReview(tx, reviewId)).agentId)
      await saveFeedback(tx, reviewId, { txHash, index: given.feedbackIndex })
      const review = await existingReview(tx, reviewId)
      const revocation = review.counted ? undefined : revocationIntent(review)
      if (revocation) await deps.intents.create(tx, revocation)
      else if (review.reply !== null) await deps.intents.create(tx, responseIntent(review, given, null))
    },
    async onReverted(tx, _intent, { reviewId }) {
      const review = await existingReview(tx, reviewId)
      if (review.txHash === null) return
      await addFeedbackToTotals(tx, review.agentId, -1)
      await saveFeedback(tx, reviewId, { txHash: null, index: null })
    },
  }
}
