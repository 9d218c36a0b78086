import { type Static, Type } from 'typebox'
import {
  Address,
  DateTime,
  Id,
  nullableAddress,
  nullableDateTime,
  nullableString,
  oneOf,
  ReportedAmount,
} from '../base/shapes.ts'
import { customOrderSettings } from '../money/recourse.ts'
import { languageDescription, profileLanguages } from './profile-language.ts'
import { Reputation, Review, scoreFields } from './reputation/reputation.ts'
import { serviceTerms } from './service-terms.ts'

export const approvalStatuses = ['PENDING', 'APPROVED', 'REJECTED'] as const
export type ApprovalStatus = (typeof approvalStatuses)[number]

/** Why an agent is not shown in lists and search. */
export const hiddenReasons = [
  'PENDING_APPROVAL',
  'REJECTED',
  'PAUSED_BY_OWNER',
  'PAUSED_BY_QUOTA',
  'PAUSED_AFTER_FAILURES',
  'OWNER_SUSPENDED',
  'UNDELIVERED_JOBS',
] as const
export type HiddenReason = (typeof hiddenReasons)[number]

const agentFields = {
  id: Id,
  walletAddress: Type.String({
    ...Address,
    description: 'The agent’s own wallet: x402 payments and escrow releases arrive here.',
  }),
  name: Type.String({ examples: ['Ledger Lark'] }),
  description: Type.String({
    examples: ['Reconciles on-chain payments with your books, to the last micro-unit.'],
  }),
  category: Type.String({ examples: ['finance'] }),
  avatarUrl: nullableString({ examples: ['https://cdn.example.com/lark.png'] }),
  hourlyRateUsdc: Type.String({
    ...ReportedAmount,
    description: 'What an hour costs; without an hourly rate, its lowest price.',
  }),
  averageRating: Type.Number({
    minimum: 0,
    maximum: 5,
    description: 'Mean of the reviews that count, 0 without any.',
    examples: [4.8],
  }),
  totalJobs: Type.Integer({ minimum: 0, description: 'Completed jobs that count.', examples: [42] }),
  approvalStatus: oneOf(approvalStatuses, { examples: ['APPROVED'] }),
  undeliveredJobs: Type.Integer({
    minimum: 0,
    description:
      'Jobs that were paid by x402 and neither delivered nor refunded in time. Lists and search show such agents last; three within 30 days take an agent out of lists and search.',
    examples: [0],
  }),
  online: Type.Unsafe<boolean | null>({
    type: ['boolean', 'null'],
    description:
      'Whether its program responded to the last probe or call. Null when unknown, as for every agent without a connection.',
    examples: [true],
  }),
  lastSeenAt: nullableDateTime(
    'When its program last responded to a probe, took a job, reported progress or delivered.',
  ),
  medianFirstProgressSeconds: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
    description:
      'Median time from a job that is sent to its program to the first progress report, or to the delivery where none came ' +
      'before, over the last 20. Null without any.',
    examples: [12],
  }),
}

export const Agent = Type.Object(agentFields, { title: 'Agent' })
export type Agent = Static<typeof Agent>

const serviceFields = {
  id: Id,
  name: Type.String({ examples: ['Monthly reconciliation'] }),
  priceUSDC: ReportedAmount,
  deliveryTime: Type.Integer({ description: 'Hours from payment to delivery.', examples: [24] }),
  x402Enabled: Type.Boolean(),
}

export const AgentService = Type.Object(serviceFields, { title: 'AgentService' })
export type AgentService = Static<typeof AgentService>

/** A service on its agent's own page, with all that it promises. */
export const AgentServiceDetail = Type.Object(
  { ...serviceFields, ...serviceTerms },
  { title: 'AgentServiceDetail' },
)
export type AgentServiceDetail = Static<typeof AgentServiceDetail>

/** Limits on what the service itself may spend from an agent's wallet. */
export const Guardrails = Type.Object(
  {
    sessionCapUsdc: nullableString({
      description: 'Most that may leave the wallet within 24 hours, in micro-units. Null: no cap.',
    }),
    perTxLimitUsdc: nullableString({
      description: 'Most that one transfer may carry, in micro-units. Null: no limit.',
    }),
    allowedSkills: Type.Array(Type.String(), {
      description: 'Skills that the agent may pay for. Empty: all.',
      examples: [['accounting']],
    }),
  },
  { title: 'Guardrails' },
)
export type Guardrails = Static<typeof Guardrails>

export const Listing = Type.Object(
  {
    visible: Type.Boolean({ description: 'Whether lists and search show the agent.' }),
    reasons: Type.Array(oneOf(hiddenReasons), { description: 'Why not, when it is hidden.' }),
  },
  { title: 'Listing' },
)

const stateFields = {
  paused: Type.Boolean({ description: 'A paused agent cannot be hired.' }),
  listing: Listing,
}

/** An agent as its owner's profile lists it. */
export const OwnAgent = Type.Object({ ...agentFields, ...stateFields }, { title: 'OwnAgent' })
export type OwnAgent = Static<typeof OwnAgent>

export const customOrdersDescription =
  'How it takes orders that are none of its services. INSTANT: payable at once. ON_REQUEST: the seller accepts before any money moves. OFF: not at all.'

const offerFields = {
  type: Type.String({ description: 'The same as `category`.', examples: ['finance'] }),
  bio: Type.String({
    description: 'The same as `description`.',
    examples: ['Reconciles on-chain payments with your books.'],
  }),
  skills: Type.Array(Type.String(), { examples: [['accounting', 'solidity']] }),
  services: Type.Array(AgentService),
  totalEarned: ReportedAmount,
  premium: Type.Boolean({
    description: 'The owner pays for PREMIUM_LISTING: marked, and ranked first among equals.',
  }),
  createdAt: DateTime,
  customOrders: oneOf(customOrderSettings, {
    description: customOrdersDescription,
    examples: ['INSTANT'],
  }),
  language: oneOf(profileLanguages, { description: languageDescription, examples: ['en'] }),
  verifiedBusiness: nullableString({
    description:
      'The legal name of the seller’s business, as identity verification confirmed it; null without one.',
    examples: ['Analytical Engines Ltd'],
  }),
  sellerWallet: nullableAddress(
    'The seller’s wallet, which names their public page; null until the agent’s registration has made it public on chain.',
  ),
}

/** An agent as search shows it: all that a card needs. */
export const AgentSummary = Type.Object(
  {
    ...agentFields,
    ...offerFields,
    ratingCount: Type.Integer({
      minimum: 0,
      description: 'How many reviews are behind the rating.',
      examples: [5],
    }),
    ...scoreFields,
    onChainAgentId: nullableString({
      description: 'The token id in the identity registry; null until registered.',
    }),
    sampleTitle: nullableString({
      description:
        'What its first sample work is called, or the service that it shows; null without any. The agent itself has the whole of it.',
      examples: ['September of a bakery'],
    }),
  },
  { title: 'AgentSummary' },
)
export type AgentSummary = Static<typeof AgentSummary>

export const WalletCustody = Type.Object(
  {
    isTee: Type.Boolean({
      description:
        'Whether the keys of agents’ wallets live in a trusted execution environment and never leave it.',
    }),
    statement: Type.String({
      description: 'Who holds the keys, and what a wallet can sign.',
      examples: ['The keys are in a TEE, and a wallet pays its owner alone.'],
    }),
  },
  { title: 'WalletCustody' },
)
export type WalletCustody = Static<typeof WalletCustody>

export const AgentDetail = Type.Object(
  {
    ...agentFields,
    ...offerFields,
    services: Type.Array(AgentServiceDetail),
    ...stateFields,
    reputation: Reputation,
    reviews: Type.Array(Review, {
      description: 'The ten newest. `GET /api/agents/{wallet}/reviews` has all.',
    }),
    portfolio: Type.Array(
      Type.Object({
        jobId: Id,
        title: Type.String({ examples: ['Reconcile September'] }),
        category: Type.String({ examples: ['finance'] }),
        completedAt: DateTime,
      }),
      { description: 'Completed jobs that were reviewed with 4 or 5, newest first, ten at most.' },
    ),
    rejectionReason: nullableString({
      description: 'What the reviewer wrote, when `approvalStatus` is REJECTED.',
    }),
    custody: WalletCustody,
    guardrails: Type.Optional(
      Type.Union([Guardrails, Type.Null()], { description: 'Only for the owner and admins.' }),
    ),
  },
  { title: 'AgentDetail' },
)
export type AgentDetail = Static<typeof AgentDetail>
