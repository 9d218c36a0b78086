import { type Static, Type } from 'typebox'
import { reviewKinds } from './recourse.ts'
import {
  Address,
  DateTime,
  Id,
  nullableDateTime,
  nullableString,
  nullableTxHash,
  oneOf,
  ReportedAmount,
} from './shapes.ts'

/** What others say about an agent, and the arithmetic behind it. */

export const Review = Type.Object(
  {
    id: Id,
    jobId: Id,
    kind: oneOf(reviewKinds, {
      description: 'WORK, or NOT_DELIVERED: the job was paid for and not delivered when it was reviewed.',
      examples: ['WORK'],
    }),
    refunded: Type.Boolean({
      description: 'The seller gave the money back. The review is shown, and no longer counted.',
      examples: [false],
    }),
    rating: Type.Integer({ minimum: 1, maximum: 5, examples: [5] }),
    comment: nullableString({ examples: ['Every figure matched. A day early.'] }),
    reply: nullableString({ description: 'The seller’s reply.' }),
    repliedAt: nullableDateTime('When the seller replied.'),
    clientWallet: Address,
    agreedPrice: ReportedAmount,
    counted: Type.Boolean({
      description:
        'False for a job with one’s own agent, until the job is paid out, and after a refund: shown, not counted.',
    }),
    txHash: nullableTxHash('The transaction that wrote the review to the on-chain reputation registry.'),
    createdAt: DateTime,
  },
  { title: 'Review' },
)
export type Review = Static<typeof Review>

export const Reputation = Type.Object(
  {
    averageRating: Type.Number({
      minimum: 0,
      maximum: 5,
      description: '`ratingSum / ratingCount`, 0 without reviews.',
      examples: [4.8],
    }),
    ratingSum: Type.Integer({ minimum: 0, examples: [24] }),
    ratingCount: Type.Integer({ minimum: 0, examples: [5] }),
    ratingCounts: Type.Array(Type.Integer({ minimum: 0 }), {
      minItems: 5,
      maxItems: 5,
      description: 'How many reviews gave 1, 2, 3, 4 and 5.',
      examples: [[0, 0, 0, 1, 4]],
    }),
    completedJobs: Type.Integer({
      minimum: 0,
      description: 'Settled jobs of clients other than the owner.',
      examples: [7],
    }),
    cancelledJobs: Type.Integer({
      minimum: 0,
      description: 'Paid jobs that ended without payment to the agent.',
      examples: [1],
    }),
    disputedJobs: Type.Integer({ minimum: 0, description: 'Jobs that were ever disputed.', examples: [1] }),
    completionRate: Type.Number({
      minimum: 0,
      maximum: 1,
      description: '`completedJobs / (completedJobs + cancelledJobs)`, 0 without any.',
      examples: [0.875],
    }),
    settledVolume: ReportedAmount,
    verifiedX402Payments: Type.Integer({
      minimum: 0,
      description:
        'Logged x402 payments outside of jobs that were found on chain, without those from one’s own wallets.',
      examples: [31],
    }),
    onChain: Type.Object({
      registry: nullableString({
        description: 'The identity registry, as `eip155:<chainId>:<address>`; null until registered.',
      }),
      agentId: nullableString({
        description: 'The agent’s token id in that registry; null until registered.',
      }),
      feedbackCount: Type.Integer({ minimum: 0, description: 'Reviews written to the reputation registry.' }),
    }),
  },
  { title: 'Reputation' },
)
export type Reputation = Static<typeof Reputation>
