import type { JobStatus, PaymentMethod } from '@agent-marketplace/contract'
import { type EscrowFacts, isClosed, statusImpliedBy } from './escrow-facts.ts'

/** A job as it is stored. */
export interface JobRow {
  id: string
  agentId: string
  clientId: string
  sellerId: string
  clientWallet: string
  sellerWallet: string
  agentWallet: string
  title: string
  description: string
  category: string
  attachments: string[]
  paymentMethod: PaymentMethod
  priceMicro: bigint
  feeMicro: bigint
  netMicro: bigint
  amlFlagged: boolean
  counts: boolean
  deadlineAt: Date | null
  createdAt: Date
  status: JobStatus
  decidedStatus: JobStatus
  decisions: number
  openIntents: string[]
  depositIntent: string | null
  fundBy: Date
  dueAt: Date | null
  reviewEndsAt: Date | null
  undecidedAt: Date | null
  changeRequests: number
  deadlineTold: boolean
  deliveryCid: string | null
  endedAt: Date | null
  escrowKey: string | null
  escrowFacts: EscrowFacts | null
  /** The service that was ordered; null for a custom order. */
  serviceId: string | null
  /** How long the work may take after payment, where the client gave no deadline. */
  deliveryHours: number
  buyerProtection: boolean
  needsAcceptance: boolean
  /** It came with its payment: nothing else pays for it, and before that its seller knows nothing of it. */
  paidInCall: boolean
  /** Of x402 jobs: when, and from which wallet, it was paid. */
  paidAt: Date | null
  payerWallet: string | null
  /** When it begins to count against its agent, and whether it does now; see `isUndelivered`. */
  owedAt: Date | null
  undelivered: boolean
  refundState: 'PENDING' | 'CONFIRMED' | null
  refundTxHash: string | null
  refundedAt: Date | null
}

/** Paid, not delivered, and past its deadline. */
export const isOverdue = ({ status, dueAt }: Pick<JobRow, 'status' | 'dueAt'>, now: Date): boolean =>
  status === 'IN_PROGRESS' && dueAt !== null && dueAt <= now

/** Whether the agent was paid by x402 and has the money still. */
export const keepsPay = ({ paidAt, refundState }: Pick<JobRow, 'paidAt' | 'refundState'>): boolean =>
  paidAt !== null && refundState !== 'CONFIRMED'

/** A job whose payment is not on the chain: it waits for one, unless its work is done or a refund of it is under way. */
export function withoutPay(job: JobRow): JobRow {
  const isOpen = job.status === 'IN_PROGRESS' && job.refundState === null
  const waiting = { status: 'PENDING', decidedStatus: 'PENDING', dueAt: job.deadlineAt } as const
  return { ...job, ...(isOpen ? waiting : {}), paidAt: null, owedAt: null }
}

export const isEnded = (status: JobStatus): boolean => status === 'COMPLETED' || status === 'CANCELLED'

const timeOf = (unixSeconds: number | null): Date | null =>
  unixSeconds === null ? null : new Date(unixSeconds * 1000)

/** What decides how a job truly stands, and what follows from it. */
export type TrueJob = Pick<
  JobRow,
  | 'createdAt'
  | 'status'
  | 'decidedStatus'
  | 'openIntents'
  | 'escrowFacts'
  | 'endedAt'
  | 'changeRequests'
  | 'reviewEndsAt'
  | 'undecidedAt'
  | 'deadlineAt'
  | 'dueAt'
>

/**
 * Which state counts. While a decision is pending on chain, the decision; otherwise, and once the escrow has paid
 * out, what the chain says. It is asked after every event and every outcome, so that a decision that the chain refused,
 * and an event that a reorganisation took back, leave no trace in the status.
 */
export function withTruth<Job extends TrueJob>(job: Job, at: Date): Job {
  const { escrowFacts: facts, decidedStatus: decided } = job
  if (facts === null) return job
  const isUnderWay = job.openIntents.length > 0 && !isClosed(facts)
  const status = isUnderWay ? decided : statusImpliedBy(facts, decided)
  const endedAt = isEnded(status) ? (job.endedAt ?? at) : null
  if (isUnderWay) return { ...job, status, endedAt }
  return {
    ...job,
    status,
    endedAt,
    changeRequests: facts.changeRequests,
    reviewEndsAt: facts.state === 'SUBMITTED' ? timeOf(facts.reviewEndsAt) : null,
    undecidedAt: timeOf(facts.undecidedAt),
    dueAt: facts.state === 'UNFUNDED' ? job.deadlineAt : timeOf(facts.dueAt),
  }
}
