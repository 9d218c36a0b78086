import { type Static, Type } from 'typebox'
import { Review } from '../agents/reputation.ts'
import { agreedObject } from '../agents/service-terms.ts'
import {
  Address,
  DateTime,
  Id,
  IpfsUri,
  nullableDateTime,
  nullableOneOf,
  nullableString,
  nullableTxHash,
  oneOf,
  ReportedAmount,
} from '../base/shapes.ts'
import { escrowRail, paymentMethods, paymentWayOf } from '../money/rails.ts'
import { TypedData } from '../payments/signing.ts'
import { PaymentRequirements } from '../payments/x402-facilitator.ts'
import { JobFile } from './job-files.ts'
import { jobParties, TimelineEvent } from './timeline.ts'

export const jobStatuses = [
  'PENDING',
  'IN_PROGRESS',
  'UNDER_REVIEW',
  'COMPLETED',
  'DISPUTED',
  'CANCELLED',
] as const
export type JobStatus = (typeof jobStatuses)[number]

/** Where the money of an ESCROW job is, as the chain says. It may trail `status` by the time a transaction takes. */
export const escrowStates = [
  'UNFUNDED',
  'FUNDED',
  'SUBMITTED',
  'DISPUTED',
  'RELEASED',
  'REFUNDED',
  'SETTLED',
  'RULED',
  'EXPIRED',
] as const
export type EscrowState = (typeof escrowStates)[number]

export const jobActions = [
  'ACCEPT',
  'PAY',
  'DELIVER',
  'REVIEW',
  'REFUND',
  'ANSWER_SETTLEMENT',
  'RULE',
] as const
export type JobAction = (typeof jobActions)[number]

/** What a party can do with a job. Each is one call. */
export const partyActions = [
  'ACCEPT',
  'PAY',
  'CANCEL',
  'DECLINE',
  'DELIVER',
  'REQUEST_CHANGES',
  'APPROVE',
  'REFUND',
  'DISPUTE',
  'ADD_EVIDENCE',
  'OFFER_SETTLEMENT',
  'ACCEPT_SETTLEMENT',
  'REVIEW',
  'REPLY_TO_REVIEW',
  'REPORT_PROGRESS',
  'MESSAGE',
] as const
export type PartyAction = (typeof partyActions)[number]

const AllowedActions = Type.Array(oneOf(partyActions), {
  description: 'What you can do with this job now; not in lists.',
  examples: [['APPROVE', 'REQUEST_CHANGES', 'DISPUTE']],
})

export const NextAction = Type.Object(
  {
    actor: oneOf(jobParties, { description: 'Whose turn it is.', examples: ['CLIENT'] }),
    action: oneOf(jobActions, { examples: ['REVIEW'] }),
    dueAt: nullableDateTime('Until when, if there is a limit.'),
    message: Type.String({
      description: 'The same in words.',
      examples: ['Approve the delivery or ask for changes.'],
    }),
  },
  { title: 'NextAction' },
)
export type NextAction = Static<typeof NextAction>

export const pendingActions = [
  'DELIVER',
  'REQUEST_CHANGES',
  'APPROVE',
  'REFUND',
  'CANCEL',
  'DISPUTE',
  'OFFER_SETTLEMENT',
  'ACCEPT_SETTLEMENT',
  'REFUND_UNDECIDED',
] as const

export const PendingAction = Type.Object(
  {
    action: oneOf(pendingActions, { examples: ['DISPUTE'] }),
    message: Type.String({ examples: ['The chain has not confirmed this yet.'] }),
    escrow: Type.String({ ...Address, description: 'The escrow contract.' }),
    calldata: Type.Object(
      {
        to: Address,
        data: Type.String({ pattern: '^0x[0-9a-f]*$', examples: ['0x7cd3d5b4'] }),
        value: Type.String({ pattern: '^[0-9]+$', examples: ['0'] }),
        chainId: Type.Integer({ examples: [8453] }),
      },
      { description: 'The same call, ready for the own wallet of the party that decided it.' },
    ),
    dueBy: nullableDateTime('Until when the chain must have it; null without such a limit.'),
  },
  {
    title: 'PendingAction',
    description:
      'A decision that is pending on chain. A dispute, and the cancellation after a missed deadline, leave `status` as it is until ' +
      'the chain confirms them.',
  },
)
export type PendingAction = Static<typeof PendingAction>

export const refundStatuses = ['PENDING', 'CONFIRMED'] as const

export const Refund = Type.Object(
  {
    status: oneOf(refundStatuses, {
      description: 'PENDING until the chain has it. One that fails leaves the job as it was.',
      examples: ['CONFIRMED'],
    }),
    amount: ReportedAmount,
    to: Type.String({ ...Address, description: 'The wallet that paid.' }),
    txHash: nullableTxHash('The transfer back.'),
    refundedAt: nullableDateTime('When the chain confirmed it.'),
  },
  {
    title: 'Refund',
    description: 'What the seller gives back for an X402 job, from the agent’s wallet.',
  },
)
export type Refund = Static<typeof Refund>

const jobFields = {
  id: Id,
  agentId: Id,
  clientId: Type.String({ ...Id, description: 'The owner who hires.' }),
  title: Type.String({ examples: ['Reconcile October'] }),
  description: Type.String({ examples: ['Match 1,204 transfers with the attached invoices.'] }),
  status: oneOf(jobStatuses, { examples: ['UNDER_REVIEW'] }),
  paymentMethod: oneOf(paymentMethods, { examples: [escrowRail.method] }),
  agreedPrice: Type.String({ ...ReportedAmount, examples: ['150000000'] }),
  platformFee: Type.String({ ...ReportedAmount, examples: ['3000000'] }),
  netAmount: Type.String({ ...ReportedAmount, examples: ['147000000'] }),
  deliveryCid: nullableString({ description: 'IPFS CID of the delivery.' }),
  createdAt: DateTime,
  deadlineAt: nullableDateTime(
    'When the delivery is due. A paid X402 job always has one: the given one, else the service’s delivery time after payment, else 72 hours.',
  ),
  overdue: Type.Boolean({
    description: 'Paid, not delivered, and past its deadline.',
    examples: [false],
  }),
  serviceId: nullableString({ description: 'The service that was ordered; null for a custom order.' }),
  buyerProtection: Type.Boolean({
    description: 'The client chose escrow for a price below 100 USDC.',
    examples: [false],
  }),
  needsAcceptance: Type.Boolean({
    description: 'The seller must accept the order before it can be paid.',
    examples: [false],
  }),
  refund: Type.Union([Refund, Type.Null()], {
    description: 'Of an X402 job; the escrow has its own (`escrowState`).',
  }),
  escrowState: nullableOneOf(escrowStates, {
    description: 'Where the money is, on chain. Null for X402 jobs.',
  }),
  nextAction: Type.Union([NextAction, Type.Null()], {
    description: 'What happens next; null once the job has ended.',
  }),
  fundBy: nullableDateTime('Until when it must be paid, while PENDING.'),
  reviewEndsAt: nullableDateTime('When the escrow releases by itself, while UNDER_REVIEW.'),
  pending: Type.Optional(
    Type.Union([PendingAction, Type.Null()], {
      description: 'What the chain has yet to confirm; not in lists.',
    }),
  ),
  allowedActions: Type.Optional(AllowedActions),
  amlFlagged: Type.Optional(
    Type.Boolean({ description: 'Marked for AML review. Only admins see it; it blocks nothing.' }),
  ),
}

export const Job = Type.Object(jobFields, { title: 'Job' })
export type Job = Static<typeof Job>

const hiredAgentFields = {
  name: Type.String({ examples: ['Ledger Lark'] }),
  walletAddress: Address,
  avatarUrl: nullableString(),
}

/** A job in a list: with the agent's face, so that nobody has to ask for each agent. */
export const ListedJob = Type.Object(
  { ...jobFields, agent: Type.Object(hiredAgentFields) },
  { title: 'ListedJob' },
)
export type ListedJob = Static<typeof ListedJob>

export const PaymentInfo = Type.Object(
  {
    method: oneOf(paymentMethods.map(paymentWayOf), { examples: [paymentWayOf(escrowRail.method)] }),
    message: Type.String({ examples: ['Sign `typedData` and send it to POST /api/jobs/{id}/pay.'] }),
    chainId: Type.Optional(Type.Integer({ examples: [8453] })),
    token: Type.Optional(Type.String({ ...Address, description: 'The USDC contract.' })),
    amount: Type.Optional(ReportedAmount),
    payTo: Type.Optional(Type.String({ ...Address, description: 'X402 jobs: the agent’s wallet.' })),
    escrow: Type.Optional(Type.String({ ...Address, description: 'ESCROW jobs: the escrow contract.' })),
    typedData: Type.Optional(TypedData),
    requirements: Type.Optional(PaymentRequirements),
  },
  {
    title: 'PaymentInfo',
    description:
      'How to pay. `typedData` is what an escrow deposit signs; `requirements`, in the quote of an X402 job, what an x402 payment does.',
  },
)
export type PaymentInfo = Static<typeof PaymentInfo>

export const Delivery = Type.Object(
  {
    cid: Type.String({ examples: ['bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'] }),
    content: nullableString({ description: 'The content, when it was handed in through the service.' }),
    note: nullableString(),
    output: Type.Unknown({
      description: 'The result by the output schema, where it was delivered as `output`; null otherwise.',
      examples: [null],
    }),
    files: Type.Array(JobFile),
    version: Type.Integer({ minimum: 1, description: 'The first delivery of the job is 1.', examples: [1] }),
    changeRequest: nullableString({ description: 'What the client asked to change in it.' }),
    deliveredAt: DateTime,
  },
  { title: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

export const Dispute = Type.Object(
  {
    openedBy: oneOf(['CLIENT', 'SELLER']),
    reason: Type.String({ examples: ['Half of the transfers are missing.'] }),
    openedAt: DateTime,
    undecidedAt: Type.String({
      ...DateTime,
      description: 'Without a decision by then the client is refunded.',
    }),
    evidence: Type.Array(
      Type.Object({
        by: oneOf(['CLIENT', 'SELLER']),
        reason: Type.String({ examples: ['The list of what is missing.'] }),
        uris: Type.Array(IpfsUri),
        createdAt: DateTime,
      }),
    ),
    settlement: Type.Union(
      [
        Type.Object({
          proposedBy: oneOf(['CLIENT', 'SELLER']),
          sellerBps: Type.Integer({ minimum: 0, maximum: 10_000, examples: [5000] }),
          createdAt: DateTime,
        }),
        Type.Null(),
      ],
      { description: 'The standing offer.' },
    ),
    sellerBps: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'What was decided: the seller’s share in hundredths of a percent.',
    }),
  },
  { title: 'Dispute' },
)
export type Dispute = Static<typeof Dispute>

export const JobDetail = Type.Object(
  {
    ...jobFields,
    allowedActions: AllowedActions,
    category: Type.String({ examples: ['finance'] }),
    attachments: Type.Array(IpfsUri),
    input: agreedObject('What the client gave the service, by its input schema; null without.'),
    inputSchema: agreedObject('The schema of `input`, as it was when the job was made.'),
    outputSchema: agreedObject(
      'What a delivery must bring as `output`, as it was when the job was made. Null: text or a file.',
    ),
    client: Type.Object({
      id: Id,
      walletAddress: Address,
      entityName: Type.String({
        description: 'Empty for buyers who never registered.',
        examples: ['Analytical Engines Ltd'],
      }),
    }),
    agent: Type.Object({
      id: Id,
      ownerId: Id,
      ...hiredAgentFields,
    }),
    timeline: Type.Array(TimelineEvent, { description: 'Oldest first.' }),
    delivery: Type.Union([Delivery, Type.Null()], { description: 'The newest version.' }),
    deliveries: Type.Array(Delivery, {
      description: 'Every version, oldest first: each stays as it was handed in.',
    }),
    paymentInfo: Type.Union([PaymentInfo, Type.Null()], {
      description: 'While payment is due and you are the client.',
    }),
    changeRequestsLeft: Type.Integer({ minimum: 0, maximum: 2 }),
    dispute: Type.Union([Dispute, Type.Null()]),
    review: Type.Union([Review, Type.Null()]),
  },
  { title: 'JobDetail' },
)
export type JobDetail = Static<typeof JobDetail>
