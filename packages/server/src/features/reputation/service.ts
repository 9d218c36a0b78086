import { AppError, type Reputation } from '@agent-marketplace/contract'
import type { Intents } from '../../money/intents/intents.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { NewId } from '../../platform/id/id.ts'
import type { Notice, Notify } from '../../platform/notices/notice.ts'
import { feedbackIntent } from './on-chain/feedback.ts'
import { responseIntent } from './on-chain/response.ts'
import { revocationIntent } from './on-chain/revocation.ts'
import { findDocument } from './on-chain/store.ts'
import {
  countReviews,
  findOnChainAgentId,
  insertReview,
  listReviews,
  type Rating,
  type ReviewRow,
  saveCounted,
  saveReply,
} from './store.ts'

/**
 * Reviews and what they add up to. It promises: one review for each settled job, by its client; one reply to it, by the
 * seller; jobs with one's own agent are shown and never counted; no review counts before the job is paid out, nor after
 * the chain has taken that back; what counts is written to the chain.
 */
export interface ReputationDeps {
  db: Database
  clock: Clock
  newId: NewId
  intents: Pick<Intents, 'create'>
  /** Locks the job for its client (REVIEW) or its seller (REPLY_TO_REVIEW), or throws. */
  lockForReview: (
    tx: Queryable,
    jobId: string,
    caller: { ownerId: string; isAdmin: boolean },
    action: 'REVIEW' | 'REPLY_TO_REVIEW',
  ) => Promise<ReviewedJob>
  addReviewToTotals: (
    tx: Queryable,
    review: { agentId: string; rating: Rating; by?: 1 | -1 },
  ) => Promise<void>
  notify: Notify
  /** Both throw NOT_FOUND for an unknown wallet. */
  reputationOf: (wallet: string) => Promise<Reputation>
  agentIdOf: (wallet: string) => Promise<string>
}

export interface ReviewedJob {
  id: string
  title: string
  agent_id: string
  agent_wallet: string
  client_id: string
  seller_id: string
  counts: boolean
  /** Whether the agent has its pay: an approval alone is a word, which the chain may still refuse. */
  isPaidOut: boolean
  /** A job that was paid for and not delivered can be reviewed, too, and the review says so. */
  isDelivered: boolean
}

export interface Ask {
  jobId: string
  caller: { ownerId: string; isAdmin: boolean }
  requestId: string | null
}

export function createReputationService(deps: ReputationDeps) {
  const { db, clock, newId } = deps
  const tell = (tx: Transaction, job: ReviewedJob, notice: Omit<Notice, 'link' | 'foldKey'>) =>
    deps.notify(tx, { ...notice, message: `“${job.title}”: ${notice.message}`, link: `/jobs/${job.id}` })

  async function count(
    tx: Transaction,
    review: ReviewRow,
    { agent_wallet }: Pick<ReviewedJob, 'agent_wallet'>,
    requestId: string | null,
  ): Promise<void> {
    await deps.addReviewToTotals(tx, { agentId: review.agent_id, rating: review.rating })
    await deps.intents.create(tx, feedbackIntent(review, agent_wallet, requestId))
  }

  return {
    async review(
      tx: Transaction,
      { jobId, caller, requestId }: Ask,
      { rating, comment }: { rating: number; comment?: string | undefined },
    ): Promise<ReviewRow> {
      const job = await deps.lockForReview(tx, jobId, caller, 'REVIEW')
      const stars = asRating(rating)
      const review = await insertReview(tx, {
        id: newId(),
        jobId,
        agentId: job.agent_id,
        clientId: job.client_id,
        rating: stars,
        comment: comment?.trim() || null,
        kind: job.isDelivered ? 'WORK' : 'NOT_DELIVERED',
        counted: job.counts && job.isPaidOut,
        now: clock.now(),
      })
      if (!review) throw new AppError('CONFLICT', { message: 'This job has its review already.' })
      if (review.counted) await count(tx, review, job, requestId)
      await tell(tx, job, {
        ownerId: job.seller_id,
        type: 'REVIEW_RECEIVED',
        title: 'New review',
        message: `${stars} of 5 stars${job.isDelivered ? '' : ', for a job that was paid and not delivered'}.`,
      })
      return review
    },

    /** The job is paid out now (1), or a fork has taken that back (-1): its review follows, if there is one. */
    async followPayout(
      tx: Transaction,
      job: Pick<ReviewedJob, 'id' | 'agent_wallet' | 'counts'>,
      by: 1 | -1,
    ): Promise<void> {
      const review = job.counts ? await saveCounted(tx, job.id, by === 1) : undefined
      if (!review) return
      if (by === 1) return count(tx, review, job, null)
      await deps.addReviewToTotals(tx, { agentId: review.agent_id, rating: review.rating, by })
      const revocation = revocationIntent(review)
      if (revocation) await deps.intents.create(tx, revocation)
    },

    async reply(tx: Transaction, { jobId, caller, requestId }: Ask, comment: string): Promise<ReviewRow> {
      const job = await deps.lockForReview(tx, jobId, caller, 'REPLY_TO_REVIEW')
      const review = await saveReply(tx, { jobId, reply: comment.trim(), now: clock.now() })
      if (!review) {
        throw new AppError('CONFLICT', { message: 'No review is waiting for a reply.' })
      }
      const agentId = await findOnChainAgentId(tx, job.agent_id)
      // The reply to a review that is not yet on chain is written after the review.
      if (review.feedback_index !== null && agentId !== null) {
        const asked = { ownerId: job.seller_id, requestId }
        await deps.intents.create(
          tx,
          responseIntent(review, { agentId, feedbackIndex: review.feedback_index }, asked),
        )
      }
      await tell(tx, job, {
        ownerId: job.client_id,
        type: 'REVIEW_REPLIED',
        title: 'The seller replied to your review',
        message: 'The seller has replied to your review.',
      })
      return review
    },

    reputationOf: deps.reputationOf,

    async documentOf(hash: string): Promise<string> {
      const body = await findDocument(db, hash)
      if (body === undefined) throw new AppError('NOT_FOUND', { message: 'There is no such feedback file.' })
      return body
    },

    async list(
      wallet: string,
      page: { limit: number; offset: number },
    ): Promise<{ reviews: ReviewRow[]; total: number }> {
      const agentId = await deps.agentIdOf(wallet)
      const [reviews, total] = await Promise.all([
        listReviews(db, { agentId, ...page }),
        countReviews(db, agentId),
      ])
      return { reviews, total }
    },
  }
}

export type ReputationService = ReturnType<typeof createReputationService>

const ratings: readonly Rating[] = [1, 2, 3, 4, 5]

/** The schema has checked the range; this only names the type. */
function asRating(rating: number): Rating {
  const found = ratings.find((one) => one === rating)
  if (found === undefined) throw new RangeError(`${rating} is no rating`)
  return found
}
