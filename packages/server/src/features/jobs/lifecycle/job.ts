import type { JobStatus, PaymentMethod } from '@agent-marketplace/contract'
import { type EscrowFacts, isClosed, statusImpliedBy } from './escrow-facts.ts'

/** A job as it is stored. */
export interface JobRow {
  id: string
  agent_id: string
  client_id: string
  seller_id: string
  client_wallet: string
  seller_wallet: string
  agent_wallet: string
  title: string
  description: string
  category: string
  attachments: string[]
  payment_method: PaymentMethod
  price_micro: bigint
  fee_micro: bigint
  net_micro: bigint
  aml_flagged: boolean
  counts: boolean
  deadline_at: Date | null
  created_at: Date
  status: JobStatus
  decided_status: JobStatus
  decisions: number
  open_intents: string[]
  deposit_intent: string | null
  fund_by: Date
  due_at: Date | null
  review_ends_at: Date | null
  undecided_at: Date | null
  change_requests: number
  deadline_told: boolean
  delivery_cid: string | null
  ended_at: Date | null
  escrow_key: string | null
  escrow_facts: EscrowFacts | null
  /** The service that was ordered; null for a custom order. */
  service_id: string | null
  /** How long the work may take after payment, where the client gave no deadline. */
  delivery_hours: number
  buyer_protection: boolean
  needs_acceptance: boolean
  /** Of x402 jobs: when, and from which wallet, it was paid. */
  paid_at: Date | null
  payer_wallet: string | null
  /** When it begins to count against its agent, and whether it does now; see `isUndelivered`. */
  owed_at: Date | null
  undelivered: boolean
  refund_state: 'PENDING' | 'CONFIRMED' | null
  refund_tx_hash: string | null
  refunded_at: Date | null
}

/** Paid, not delivered, and past its deadline. */
export const isOverdue = ({ status, due_at }: Pick<JobRow, 'status' | 'due_at'>, now: Date): boolean =>
  status === 'IN_PROGRESS' && due_at !== null && due_at <= now

/** Whether the agent was paid by x402 and has the money still. */
export const keepsPay = ({ paid_at, refund_state }: Pick<JobRow, 'paid_at' | 'refund_state'>): boolean =>
  paid_at !== null && refund_state !== 'CONFIRMED'

/** A job whose payment is not on the chain: it waits for one, unless its work is done or a refund of it is under way. */
export function withoutPay(job: JobRow): JobRow {
  const isOpen = job.status === 'IN_PROGRESS' && job.refund_state === null
  const waiting = { status: 'PENDING', decided_status: 'PENDING', due_at: job.deadline_at } as const
  return { ...job, ...(isOpen ? waiting : {}), paid_at: null, owed_at: null }
}

export const isEnded = (status: JobStatus): boolean => status === 'COMPLETED' || status === 'CANCELLED'

const timeOf = (unixSeconds: number | null): Date | null =>
  unixSeconds === null ? null : new Date(unixSeconds * 1000)

/**
 * Which state counts. While a decision is pending on chain, the decision; otherwise, and once the escrow has paid
 * out, what the chain says. It is asked after every event and every outcome, so that a decision that the chain refused,
 * and an event that a reorganisation took back, leave no trace in the status.
 */
export function withTruth(job: JobRow, at: Date): JobRow {
  const { escrow_facts: facts, decided_status: decided } = job
  if (facts === null) return job
  const isUnderWay = job.open_intents.length > 0 && !isClosed(facts)
  const status = isUnderWay ? decided : statusImpliedBy(facts, decided)
  const ended_at = isEnded(status) ? (job.ended_at ?? at) : null
  if (isUnderWay) return { ...job, status, ended_at }
  return {
    ...job,
    status,
    ended_at,
    change_requests: facts.changeRequests,
    review_ends_at: facts.state === 'SUBMITTED' ? timeOf(facts.reviewEndsAt) : null,
    undecided_at: timeOf(facts.undecidedAt),
    due_at: facts.state === 'UNFUNDED' ? job.deadline_at : timeOf(facts.dueAt),
  }
}
