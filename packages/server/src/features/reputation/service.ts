import {
  AppError,
  type ExplainedReputation,
  jobPageOf,
  type RecentWork,
  type Reputation,
} from '@agent-marketplace/contract'
import type { Intents } from '../../money/intents/intents.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { NewId } from '../../platform/id/id.ts'
import type { Notice, Notify } from '../../platform/notices/notice.ts'
import { responseIntent } from './on-chain/response.ts'
import { findDocument } from './on-chain/store.ts'
import { presentArithmetic } from './present.ts'
import { listRecentWorks } from './recent-work.ts'
import { findArithmetic } from './score/score-store.ts'
import type { Scores } from './score/scores.ts'
import {
  countReviews,
  findOnChainAgentId,
  findReviewOf,
  insertReview,
  listReviews,
  type Rating,
  type ReviewRow,
  saveReply,
} from './store.ts'

/**
 * Reviews and what they add up to. It promises: one review for each finished job, by its client, and in place of "not
 * delivered" one of the work where that came after all; one reply to it, by the seller; what counts is decided with the
 * score, before and after the job is paid out, and when money turns out to have come back; what counts is written to the
 * chain.
 */
export interface ReputationDeps {
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
  /** Decides again what counts for an agent, and its score; what counts is written to the chain. */
  score: Scores['score']
  notify: Notify
}

/** Where public pages are read: the primary, or a replica. Both throw NOT_FOUND for an unknown wallet. */
export interface ReputationPages {
  db: Queryable
  reputationOf: (wallet: string) => Promise<Reputation>
  detailOf: (wallet: string, viewer: undefined) => Promise<{ row: { id: string } }>
}

export interface ReviewedJob {
  id: string
  title: string
  agentId: string
  agentWallet: string
  clientId: string
  sellerId: string
  /** A job that was paid for and not delivered can be reviewed, too, and the review says so. */
  isDelivered: boolean
}

export interface Ask {
  jobId: string
  caller: { ownerId: string; isAdmin: boolean }
  requestId: string | null
}

export function createReputationService(deps: ReputationDeps) {
  const { clock, newId } = deps
  const notifyAboutJob = (tx: Transaction, job: ReviewedJob, notice: Omit<Notice, 'link' | 'foldKey'>) =>
    deps.notify(tx, { ...notice, message: `“${job.title}”: ${notice.message}`, link: jobPageOf(job.id) })

  return {
    async review(
      tx: Transaction,
      { jobId, caller, requestId }: Ask,
      { rating, comment }: { rating: number; comment?: string | undefined },
    ): Promise<ReviewRow> {
      const job = await deps.lockForReview(tx, jobId, caller, 'REVIEW')
      const stars = asRating(rating)
      // What the work has disproven is taken back from the chain before the review of the work takes its place.
      if ((await findReviewOf(tx, jobId)) !== undefined) await deps.score(tx, job.agentId)
      const inserted = await insertReview(tx, {
        id: newId(),
        jobId,
        agentId: job.agentId,
        clientId: job.clientId,
        rating: stars,
        comment: comment?.trim() || null,
        kind: job.isDelivered ? 'WORK' : 'NOT_DELIVERED',
        now: clock.now(),
      })
      if (!inserted) throw new AppError('CONFLICT', { message: 'This job has its review already.' })
      await deps.score(tx, job.agentId, { reviewId: inserted.id, requestId })
      const review = (await findReviewOf(tx, jobId)) ?? inserted
      await notifyAboutJob(tx, job, {
        ownerId: job.sellerId,
        type: 'REVIEW_RECEIVED',
        title: 'New review',
        message: `${stars} of 5 stars${job.isDelivered ? '' : ', for a job that was paid and not delivered'}.`,
      })
      return review
    },

    /** The job is paid out now, or a fork has taken that back: its review follows, if there is one. */
    async followPayout(tx: Transaction, job: Pick<ReviewedJob, 'id' | 'agentId'>): Promise<void> {
      if ((await findReviewOf(tx, job.id)) !== undefined) await deps.score(tx, job.agentId)
    },

    async reply(tx: Transaction, { jobId, caller, requestId }: Ask, comment: string): Promise<ReviewRow> {
      const job = await deps.lockForReview(tx, jobId, caller, 'REPLY_TO_REVIEW')
      const review = await saveReply(tx, { jobId, reply: comment.trim(), now: clock.now() })
      if (!review) {
        throw new AppError('CONFLICT', { message: 'No review is waiting for a reply.' })
      }
      const agentId = await findOnChainAgentId(tx, job.agentId)
      // The reply to a review that is not yet on chain is written after the review.
      if (review.feedbackIndex !== null && agentId !== null) {
        const asked = { ownerId: job.sellerId, requestId }
        await deps.intents.create(
          tx,
          responseIntent(review, { agentId, feedbackIndex: review.feedbackIndex }, asked),
        )
      }
      await notifyAboutJob(tx, job, {
        ownerId: job.clientId,
        type: 'REVIEW_REPLIED',
        title: 'The seller replied to your review',
        message: 'The seller has replied to your review.',
      })
      return review
    },

    /** With what each review weighs. What is older than the score itself is explained as it was when it was scored. */
    async explain(on: ReputationPages, wallet: string): Promise<ExplainedReputation> {
      const [known, { row }] = await Promise.all([on.reputationOf(wallet), on.detailOf(wallet, undefined)])
      return { ...known, arithmetic: presentArithmetic(await findArithmetic(on.db, row.id)) }
    },

    async documentOf({ db }: ReputationPages, hash: string): Promise<string> {
      const body = await findDocument(db, hash)
      if (body === undefined) throw new AppError('NOT_FOUND', { message: 'There is no such feedback file.' })
      return body
    },

    recentWork: ({ db }: ReputationPages): Promise<RecentWork[]> => listRecentWorks(db),

    async list(
      { db, detailOf }: ReputationPages,
      wallet: string,
      page: { limit: number; offset: number },
    ): Promise<{ reviews: ReviewRow[]; total: number }> {
      const { row } = await detailOf(wallet, undefined)
      const [reviews, total] = await Promise.all([
        listReviews(db, { agentId: row.id, ...page }),
        countReviews(db, row.id),
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
