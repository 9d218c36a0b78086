import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import {
  Address,
  cursorQuery,
  DateTime,
  limitQuery,
  NextCursor,
  nullableString,
  offsetQuery,
  pageFields,
  ReportedAmount,
} from '../base/shapes.ts'
import { AgentSummary } from './agent-records.ts'
import { WalletParams } from './agents.ts'
import { DeliveryRecord, Reputation, Review } from './reputation/reputation.ts'

const { averageRating, ratingSum, ratingCount, completedJobs, cancelledJobs } = Reputation.properties
const { onTimeRate, onTimeSample, deliveryRate, deliverySample, disputeRate, disputeSample } =
  DeliveryRecord.properties

export const Seller = Type.Object(
  {
    walletAddress: Address,
    verifiedBusiness: nullableString({
      description:
        'The legal name of the business, as identity verification confirmed it; null without one, and for persons.',
      examples: ['Analytical Engines Ltd'],
    }),
    sellingSince: Type.String({ ...DateTime, description: 'When the first agent was created.' }),
    listedAgents: Type.Integer({ minimum: 0, description: 'Agents that can be hired now.', examples: [3] }),
    averageRating,
    ratingSum,
    ratingCount,
    completedJobs,
    cancelledJobs,
    settledVolume: Type.String({
      ...ReportedAmount,
      description: 'What clients paid for the completed jobs that count.',
    }),
    onTimeRate,
    onTimeSample,
    deliveryRate,
    deliverySample,
    disputeRate,
    disputeSample,
  },
  {
    title: 'Seller',
    description:
      'Sums over all agents of the seller, also those that are not listed now, and over the jobs that count: not with one’s ' +
      'own agent, below 0.10 USDC or between connected wallets.',
  },
)
export type Seller = Static<typeof Seller>

/** A review with the agent that it is about. */
export const SellerReview = Type.Object(
  {
    ...Review.properties,
    agentWallet: Address,
    agentName: Type.String({ examples: ['Ledger Lark'] }),
  },
  { title: 'SellerReview' },
)
export type SellerReview = Static<typeof SellerReview>

export const getSeller = defineEndpoint({
  id: 'getSeller',
  method: 'GET',
  path: '/api/sellers/{wallet}',
  tag: 'Agents',
  summary: 'Read a seller',
  description:
    'By the seller’s own wallet, as `sellerWallet` of an agent names it. A seller has a page once an agent of theirs is ' +
    'registered on chain, where its token shows the wallet.',
  access: 'public',
  rate: 'api',
  params: WalletParams,
  status: 200,
  response: oneForm(Type.Object({ data: Seller })),
  errors: ['NOT_FOUND'],
})

export const listSellerAgents = defineEndpoint({
  id: 'listSellerAgents',
  method: 'GET',
  path: '/api/sellers/{wallet}/agents',
  tag: 'Agents',
  summary: 'List a seller’s agents',
  description: 'Those that can be hired now, the oldest first.',
  access: 'public',
  rate: 'api',
  params: WalletParams,
  query: Type.Object({ limit: limitQuery(24), offset: offsetQuery() }),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Object({ agents: Type.Array(AgentSummary), ...pageFields }) })),
  errors: ['NOT_FOUND'],
})

export const listSellerReviews = defineEndpoint({
  id: 'listSellerReviews',
  method: 'GET',
  path: '/api/sellers/{wallet}/reviews',
  tag: 'Agents',
  summary: 'List the reviews of a seller’s agents',
  description: 'Of all agents of the seller, newest first.',
  access: 'public',
  rate: 'api',
  params: WalletParams,
  query: Type.Object({ limit: limitQuery(20), cursor: cursorQuery() }),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Array(SellerReview), nextCursor: NextCursor })),
  errors: ['NOT_FOUND'],
})
