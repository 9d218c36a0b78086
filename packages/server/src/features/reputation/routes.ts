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
import type { ReputationService } from './service.ts'

/** The bytes of a hash never change. */
const documentHeaders = {
  'content-type': 'application/json',
  'cache-control': 'public, max-age=31536000, immutable',
}

export function reputationRoutes({ reputation }: { reputation: ReputationService }): Route[] {
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

    route(getAgentReputation, async ({ params }) => ({ data: await reputation.explain(params.wallet) })),

    route(getFeedbackDocument, async ({ params, reply }) => {
      const body = await reputation.documentOf(params.hash)
      reply.headers(documentHeaders).send(Buffer.from(body, 'utf8'))
      return undefined
    }),

    route(listRecentWork, async () => ({ data: await reputation.recentWork() })),

    route(listAgentReviews, async ({ params, query }) => {
      const { limit = 20, offset = 0 } = query
      const { reviews, total } = await reputation.list(params.wallet, { limit, offset })
      return { data: { reviews: reviews.map(presentReview), total, limit, offset } }
    }),
  ]
}
