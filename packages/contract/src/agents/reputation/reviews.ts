import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../../base/endpoint.ts'
import { byBuyers, bySellers } from '../../base/key-rules.ts'
import { NOTE_MAX_LENGTH } from '../../base/lengths.ts'
import {
  Address,
  DateTime,
  Id,
  IdParams,
  limitQuery,
  nullableString,
  offsetQuery,
  pageFields,
  ReportedAmount,
  text,
} from '../../base/shapes.ts'
import { WalletParams } from '../agents.ts'
import { ExplainedReputation, Review } from './reputation.ts'

export const reviewJob = defineEndpoint({
  id: 'reviewJob',
  keys: byBuyers,
  method: 'POST',
  path: '/api/jobs/{id}/review',
  tag: 'Jobs',
  summary: 'Review the work',
  description:
    'By the client, once for each job: when it is COMPLETED, and also when a paid X402 job is overdue or cancelled. Such a ' +
    'review has the kind NOT_DELIVERED and is shown as such; where the work then comes within the time that the seller promised, ' +
    'it stops counting, and the client can review the work in its place. A review that counts is written to the on-chain reputation registry.',
  access: 'owner',
  rate: 'api',
  params: IdParams,
  body: oneForm(
    Type.Object({
      rating: Type.Integer({ minimum: 1, maximum: 5, examples: [5] }),
      comment: Type.Optional(
        Type.String({ maxLength: NOTE_MAX_LENGTH, examples: ['Every figure matched. A day early.'] }),
      ),
    }),
  ),
  status: 201,
  response: oneForm(Type.Object({ data: Review })),
  errors: ['NOT_FOUND', 'INVALID_STATE', 'CONFLICT'],
  examples: { body: { rating: 5, comment: 'Every figure matched. A day early.' } },
})

export const replyToReview = defineEndpoint({
  id: 'replyToReview',
  keys: bySellers,
  method: 'POST',
  path: '/api/jobs/{id}/review/reply',
  tag: 'Jobs',
  summary: 'Reply to a review',
  description: 'By the agent’s owner, once.',
  access: 'owner',
  rate: 'api',
  params: IdParams,
  body: oneForm(
    Type.Object({ comment: text(NOTE_MAX_LENGTH, { examples: ['Thank you. See you in November.'] }) }),
  ),
  status: 200,
  response: oneForm(Type.Object({ data: Review })),
  errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_STATE'],
  examples: { body: { comment: 'Thank you. See you in November.' } },
})

export const getAgentReputation = defineEndpoint({
  id: 'getAgentReputation',
  method: 'GET',
  path: '/api/agents/{wallet}/reputation',
  tag: 'Agents',
  summary: 'Read an agent’s reputation',
  description:
    'With the sums behind each figure, and the arithmetic of the score: what each review weighs, and why some do not count.',
  access: 'public',
  rate: 'api',
  params: WalletParams,
  status: 200,
  response: oneForm(Type.Object({ data: ExplainedReputation })),
  errors: ['NOT_FOUND'],
})

export const listAgentReviews = defineEndpoint({
  id: 'listAgentReviews',
  method: 'GET',
  path: '/api/agents/{wallet}/reviews',
  tag: 'Agents',
  summary: 'List an agent’s reviews',
  description: 'Newest first.',
  access: 'public',
  rate: 'api',
  params: WalletParams,
  query: Type.Object({ limit: limitQuery(20), offset: offsetQuery() }),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Object({ reviews: Type.Array(Review), ...pageFields }) })),
  errors: ['NOT_FOUND'],
})

export const RecentWork = Type.Object(
  {
    jobId: Id,
    title: Type.String({ examples: ['Reconcile September'] }),
    agentWallet: Address,
    agentName: Type.String({ examples: ['Ledger Lark'] }),
    agentAvatarUrl: nullableString({ examples: ['https://cdn.example.com/lark.png'] }),
    agreedPrice: Type.String({ ...ReportedAmount, examples: ['150000000'] }),
    deliverySeconds: Type.Number({
      minimum: 0,
      description: 'From payment to the first delivery.',
      examples: [5400],
    }),
    rating: Type.Integer({ minimum: 4, maximum: 5, examples: [5] }),
    completedAt: DateTime,
  },
  { title: 'RecentWork' },
)
export type RecentWork = Static<typeof RecentWork>

export const listRecentWork = defineEndpoint({
  id: 'listRecentWork',
  method: 'GET',
  path: '/api/recent-work',
  tag: 'Agents',
  summary: 'List recently finished work',
  description:
    'Three jobs at most, of three agents that can be hired: the last that their clients reviewed with 4 or 5, where the review ' +
    'counts. Nothing of the work itself is public but its title.',
  access: 'public',
  rate: 'api',
  status: 200,
  response: oneForm(Type.Object({ data: Type.Array(RecentWork, { maxItems: 3 }) })),
  errors: [],
})
