import { type Static, Type } from 'typebox'
import {
  Address,
  DateTime,
  Id,
  nullableDateTime,
  nullableString,
  nullableTxHash,
  oneOf,
  ReportedAmount,
} from '../../base/shapes.ts'
import { reviewKinds } from '../../money/recourse.ts'
import { exclusions, reductions } from './rating.ts'

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
    agreedPrice: Type.String({ ...ReportedAmount, examples: ['150000000'] }),
    counted: Type.Boolean({
      description:
        'False for a job with one’s own agent, below 0.10 USDC, between connected wallets, until the job is paid out, and ' +
        'after a refund: shown, not counted.',
    }),
    txHash: nullableTxHash('The transaction that wrote the review to the on-chain reputation registry.'),
    createdAt: DateTime,
  },
  { title: 'Review' },
)
export type Review = Static<typeof Review>

const rate = (description: string) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description, examples: [0.95] })
const sample = (of: string) =>
  Type.Integer({ minimum: 0, description: `How many jobs are behind ${of}.`, examples: [20] })
const seconds = (description: string) =>
  Type.Union([Type.Number({ minimum: 0 }), Type.Null()], { description, examples: [5400] })

export const DeliveryRecord = Type.Object(
  {
    onTimeRate: rate('Jobs with a deadline that were delivered by then. Null without any.'),
    onTimeSample: sample('it'),
    deliveryRate: rate('Paid jobs that were delivered, of those that are over or overdue. Null without any.'),
    deliverySample: sample('it'),
    disputeRate: rate(
      'Paid jobs that were disputed, without those that ended with all the money for the agent. Null without any.',
    ),
    disputeSample: sample('it'),
    medianDeliverySeconds: seconds('From payment to the first delivery. Null without any.'),
    medianDeliverySample: sample('it'),
    medianResponseSeconds: seconds(
      'From each payment and each request for changes to what the seller did next. Null without any.',
    ),
    medianResponseSample: sample('it'),
  },
  { title: 'DeliveryRecord', description: 'Over the jobs that count. Kept as jobs change, and once a day.' },
)
export type DeliveryRecord = Static<typeof DeliveryRecord>

const score = Type.Number({
  minimum: 1,
  maximum: 5,
  description:
    'What the reviews prove: the average, drawn toward 1 as long as little was paid in fees. “Best rated” sorts by it. ' +
    '`GET /api/agents/{wallet}/reputation` has the arithmetic.',
  examples: [3.4],
})

/** What search and an agent's page show of how it works. */
export const scoreFields = { score, delivery: DeliveryRecord }

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
      description:
        'Finished jobs that count: not with one’s own agent, below 0.10 USDC or between connected wallets.',
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
    ...scoreFields,
    scoreWeight: Type.Number({ minimum: 0, description: 'The sum of the weights behind `score`.' }),
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

const WeighedReview = Type.Object(
  {
    reviewId: Id,
    rating: Type.Integer({ minimum: 1, maximum: 5 }),
    counted: Type.Boolean(),
    weight: Type.Number({
      minimum: 0,
      description: '`evidence · independence · freshness`, capped, and `breadth`.',
    }),
    evidence: Type.Number({ minimum: 0, maximum: 1, description: 'From the fee that was paid.' }),
    independence: Type.Number({ minimum: 0, maximum: 1, description: 'From what is known of the buyer.' }),
    freshness: Type.Number({ minimum: 0, maximum: 1, description: 'Halves every year.' }),
    breadth: Type.Number({ minimum: 0, description: 'For one of the three most independent buyers.' }),
    notCountedBecause: Type.Union([oneOf(exclusions), Type.Null()]),
    reductions: Type.Array(oneOf(reductions), { description: 'What lowers the weight.' }),
  },
  { title: 'WeighedReview' },
)

/** The reputation with the arithmetic behind its score. */
export const ExplainedReputation = Type.Object(
  {
    ...Reputation.properties,
    arithmetic: Type.Object({
      formula: Type.String({
        examples: ['(priorWeight · priorRating + Σ weight · rating) / (priorWeight + Σ weight)'],
      }),
      priorRating: Type.Number(),
      priorWeight: Type.Number(),
      reviews: Type.Array(WeighedReview, { description: 'The newest hundred, newest first.' }),
      notCounted: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
        description: 'How many reviews do not count, by reason.',
      }),
    }),
  },
  { title: 'ExplainedReputation' },
)
export type ExplainedReputation = Static<typeof ExplainedReputation>
