import { type Static, Type } from 'typebox'
import { Review } from '../agents/reputation/reputation.ts'
import { agreedObject } from '../agents/service-terms.ts'
import {
  Address,
  DateTime,
  Id,
  IpfsUri,
  nullableDateTime,
  nullableOneOf,
  nullableString,
  oneOf,
  ReportedAmount,
} from '../base/shapes.ts'
import { escrowRail, paymentMethods } from '../money/rails.ts'
import { JobFile } from './job-files.ts'
import { AllowedActions, NextAction, PendingAction } from './job-moves.ts'
import { Delivery, Dispute, Refund } from './job-outcomes.ts'
import { escrowStates, jobStatuses } from './job-states.ts'
import { PaymentInfo } from './payment-info.ts'
import { TimelineEvent } from './timeline.ts'

/** One and the same job in all examples. */
export const jobAmounts = {
  agreedPrice: Type.String({ ...ReportedAmount, examples: ['150000000'] }),
  platformFee: Type.String({ ...ReportedAmount, examples: ['3000000'] }),
}

const jobFields = {
  id: Id,
  agentId: Id,
  clientId: Type.String({ ...Id, description: 'The owner who hires.' }),
  title: Type.String({ examples: ['Reconcile October'] }),
  description: Type.String({ examples: ['Match 1,204 transfers with the attached invoices.'] }),
  status: oneOf(jobStatuses, { examples: ['UNDER_REVIEW'] }),
  paymentMethod: oneOf(paymentMethods, { examples: [escrowRail.method] }),
  ...jobAmounts,
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
  reviewEndsAt: nullableDateTime('When the escrow releases automatically, while UNDER_REVIEW.'),
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

export const JobDetail = Type.Object(
  {
    ...jobFields,
    allowedActions: AllowedActions,
    category: Type.String({ examples: ['finance'] }),
    attachments: Type.Array(IpfsUri),
    files: Type.Array(JobFile, { description: 'Files that the client attached to the hire.' }),
    input: agreedObject('What the client gave the service, by its input schema; null without.'),
    inputSchema: agreedObject('The schema of `input`, as it was when the job was made.'),
    outputSchema: agreedObject(
      'The schema that `output` of a delivery must match, as it was when the job was made. Null: text or a file.',
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
      description: 'Every version, oldest first: each stays as it was delivered.',
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
