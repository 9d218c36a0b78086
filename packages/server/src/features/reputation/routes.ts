import {
  getAgentReputation,
  getFeedbackDocument,
  listAgentReviews,
  listRecentWork,
  replyToReview,
  reviewJob,
} from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import { presentReview } from './present.ts'
import type { ReputationPages, ReputationService } from './service.ts'

/** The bytes of a hash never change. */
const documentHeaders = {
  'content-type': 'application/json',
  'cache-control': 'public, max-age=31536000, immutable',
}

export interface ReputationRoutesDeps {
  reputation: ReputationService
  /** What everyone may read, from a replica where one is fresh enough. */
  pages: <T>(mustShow: bigint | undefined, read: (on: ReputationPages) => Promise<T>) => Promise<T>
}

export function reputationRoutes({ reputation, pages }: ReputationRoutesDeps): Route[] {
  return [
    route(reviewJob, ({ principal, params, body, requestId, transaction }) =>
      transaction(async (tx) => {
        const ask = { jobId: params.id, caller: principal, requestId }
        return { data: presentReview(await reputation.review(tx, ask, body)) }
      }),
    ),

    route(replyToReview, ({ principal, params, body, requestId, transaction }) =>
      transaction(async (tx) => {
        const ask = { jobId: params.id, caller: principal, requestId }
        return { data: presentReview(await reputation.reply(tx, ask, body.comment)) }
      }),
    ),

    route(getAgentReputation, async ({ params, request: { facts } }) => ({
      data: await pages(facts.mustShow, (on) => reputation.explain(on, params.wallet)),
    })),

    route(getFeedbackDocument, async ({ params, request: { facts }, reply }) => {
      const body = await pages(facts.mustShow, (on) => reputation.documentOf(on, params.hash))
      reply.headers(documentHeaders).send(Buffer.from(body, 'utf8'))
      return undefined
    }),

    route(listRecentWork, async ({ request: { facts } }) => ({
      data: await pages(facts.mustShow, reputation.recentWork),
    })),

    route(listAgentReviews, async ({ params, query, request: { facts } }) => {
      const { limit = 20, offset = 0 } = query
      const { reviews, total } = await pages(facts.mustShow, (on) =>
        reputation.list(on, params.wallet, { limit, offset }),
      )
      return { data: { reviews: reviews.map(presentReview), total, limit, offset } }
    }),
  ]
}
