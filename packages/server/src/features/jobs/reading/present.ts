import {
  type createJob,
  formatMicro,
  formatUsdc,
  type getJob,
  type Job,
  type JobDetail,
  type ListedJob,
  MAX_CHANGE_REQUESTS,
  type PaymentInfo,
  type PendingAction,
  paymentChoicesFor,
  type quoteJob,
  type Refund,
} from '@agent-marketplace/contract'
import type { ResponseOf } from '../../../platform/http/call.ts'
import type { Quote } from '../hiring/quotes.ts'
import { noAgreement } from '../lifecycle/agreement.ts'
import type { Side } from '../lifecycle/escrow-facts.ts'
import { isOverdue, type JobRow, withTruth } from '../lifecycle/job.ts'
import { isClaim } from '../lifecycle/overtaking.ts'
import { nextActionOf } from '../lifecycle/rules.ts'
import type { ListedJob as ListedJobRow } from '../lifecycle/store.ts'
import type { EscrowEffect } from '../lifecycle/transitions.ts'
import type { OpeningPayment } from '../payment/paying.ts'
import {
  type OfferFor,
  type PaymentChain,
  paymentInfoOf,
  paymentNoteOf,
  quotedPaymentInfoOf,
} from '../payment/payment-info.ts'
import type { JobDetails } from './detail-store.ts'

/** Who looks at a job. */
export interface Viewer {
  ownerId: string
  isAdmin: boolean
}

const isoOf = (time: Date | null): string | null => time?.toISOString() ?? null
/** Times inside of JSON come as the database writes them. */
const isoOfText = (time: string): string => new Date(time).toISOString()

/** The chain's state while a claim is pending; otherwise the decision, which the chain follows. */
function shownJob(job: JobRow, isConfirmed: boolean): JobRow {
  const { escrow_facts: facts } = job
  if (facts === null || (isConfirmed && !job.open_intents.some(isClaim))) return job
  return withTruth({ ...job, open_intents: [] }, job.created_at)
}

export function presentJob(
  row: JobRow,
  offeredBy: Side | null,
  { isAdmin }: Pick<Viewer, 'isAdmin'>,
  { now, isConfirmed = true }: { now: Date; isConfirmed?: boolean },
): Job {
  const job = shownJob(row, isConfirmed)
  return {
    id: job.id,
    agentId: job.agent_id,
    clientId: job.client_id,
    title: job.title,
    description: job.description,
    status: job.status,
    paymentMethod: job.payment_method,
    agreedPrice: formatMicro(job.price_micro),
    platformFee: formatMicro(job.fee_micro),
    netAmount: formatMicro(job.net_micro),
    deliveryCid: job.delivery_cid,
    createdAt: job.created_at.toISOString(),
    deadlineAt: isoOf(job.due_at),
    overdue: isOverdue(job, now),
    serviceId: job.service_id,
    buyerProtection: job.buyer_protection,
    needsAcceptance: job.status === 'PENDING' && job.needs_acceptance,
    refund: presentRefund(job),
    escrowState: job.escrow_facts?.state ?? null,
    nextAction: nextActionOf(job, offeredBy, now),
    fundBy: job.status === 'PENDING' ? isoOf(job.fund_by) : null,
    reviewEndsAt: job.status === 'UNDER_REVIEW' ? isoOf(job.review_ends_at) : null,
    ...(isAdmin ? { amlFlagged: job.aml_flagged } : {}),
  }
}

function presentRefund(job: JobRow): Refund | null {
  const { refund_state: status, payer_wallet: to } = job
  if (status === null || to === null) return null
  return {
    status,
    amount: formatMicro(job.price_micro),
    to,
    txHash: job.refund_tx_hash,
    refundedAt: isoOf(job.refunded_at),
  }
}

export function presentListed(job: ListedJobRow, viewer: Pick<Viewer, 'isAdmin'>, now: Date): ListedJob {
  const { agent_name: name, agent_wallet: walletAddress, agent_avatar_url: avatarUrl } = job
  return { ...presentJob(job, job.offered_by, viewer, { now }), agent: { name, walletAddress, avatarUrl } }
}

/** `isConfirmed` is false in a 202: the decision is pending, and nothing is shown as if it were final. */
export function presentDetail(
  job: JobDetails,
  viewer: Viewer,
  chain: PaymentChain,
  { isConfirmed = true } = {},
): ResponseOf<typeof getJob> {
  const base = {
    ...presentJob(job, job.dispute?.offered_by ?? null, viewer, { now: job.now, isConfirmed }),
    pending: presentPending(job, chain),
    allowedActions: job.allowedActions,
  }
  const isPayable = job.status === 'PENDING' && !job.needs_acceptance && job.client_id === viewer.ownerId
  const detail: JobDetail = {
    ...base,
    category: job.category,
    attachments: job.attachments,
    ...(job.agreement ?? noAgreement),
    client: { id: job.client_id, walletAddress: job.client_wallet, entityName: job.client_name ?? '' },
    agent: {
      id: job.agent_id,
      ownerId: job.seller_id,
      name: job.agent_name,
      walletAddress: job.agent_wallet,
      avatarUrl: job.agent_avatar_url,
    },
    timeline: job.timeline.map(({ id, type, actor, message, tx_hash, created_at }) => ({
      id,
      type,
      actor,
      message,
      txHash: tx_hash,
      createdAt: isoOfText(created_at),
    })),
    delivery: job.delivery && {
      cid: job.delivery.cid,
      content: job.delivery.content,
      note: job.delivery.note,
      output: job.delivery.is_json ? JSON.parse(job.delivery.content ?? 'null') : null,
      deliveredAt: isoOfText(job.delivery.delivered_at),
    },
    paymentInfo: isPayable ? paymentInfoOf(job, chain) : null,
    changeRequestsLeft: Math.max(0, MAX_CHANGE_REQUESTS - job.change_requests),
    dispute: base.status === 'DISPUTED' || !hasOpenClaim(job) ? presentDispute(job) : null,
    review: job.review,
  }
  return { a: { data: base }, b: { data: { job: detail } } }
}

const hasOpenClaim = ({ open_intents }: JobRow): boolean => open_intents.some(isClaim)

const pendingActions: Record<Exclude<EscrowEffect, 'escrow.deposit'>, PendingAction['action']> = {
  'escrow.submit': 'DELIVER',
  'escrow.requestChanges': 'REQUEST_CHANGES',
  'escrow.release': 'APPROVE',
  'escrow.refund': 'REFUND',
  'escrow.claimMissedDeadline': 'CANCEL',
  'escrow.openDispute': 'DISPUTE',
  'escrow.proposeSettlement': 'OFFER_SETTLEMENT',
  'escrow.acceptSettlement': 'ACCEPT_SETTLEMENT',
  'escrow.refundUndecided': 'REFUND_UNDECIDED',
}

function presentPending({ pending }: JobDetails, { facts }: PaymentChain): PendingAction | null {
  if (pending === null || pending.effect === 'escrow.deposit') return null
  const { effect, call, dueBy } = pending
  return {
    action: pendingActions[effect],
    message: PENDING_WORDS,
    escrow: facts.contracts.escrow,
    calldata: { to: call.to, data: call.data, value: call.value.toString(), chainId: facts.chainId },
    dueBy: isoOf(dueBy),
  }
}

const PENDING_WORDS =
  'The chain has not confirmed this yet. The service sends it; you can also send `calldata` from your own wallet.'

/** A dispute that the chain refused to open never was one. */
export function presentDispute({
  dispute,
  evidence,
  undecided_at,
}: Pick<JobDetails, 'dispute' | 'evidence' | 'undecided_at'>): JobDetail['dispute'] {
  if (dispute === null || undecided_at === null) return null
  const { offered_by, offered_bps, offered_at } = dispute
  const hasOffer = offered_by !== null && offered_bps !== null && offered_at !== null
  return {
    openedBy: dispute.opened_by,
    reason: dispute.reason,
    openedAt: isoOfText(dispute.opened_at),
    undecidedAt: undecided_at.toISOString(),
    evidence: evidence.map(({ given_by, reason, uris, created_at }) => ({
      by: given_by,
      reason,
      uris,
      createdAt: isoOfText(created_at),
    })),
    settlement: hasOffer
      ? { proposedBy: offered_by, sellerBps: offered_bps, createdAt: isoOfText(offered_at) }
      : null,
    sellerBps: dispute.seller_bps,
  }
}

function openingPaymentInfo(job: JobRow, chain: PaymentChain, opening: OpeningPayment): PaymentInfo {
  switch (opening.payment) {
    case 'DUE':
      return paymentInfoOf(job, chain, opening.refusal)
    case 'PENDING':
      return paymentNoteOf(job, chain, 'The payment is being settled: do not pay again.')
    case 'SETTLED':
      return paymentNoteOf(job, chain, 'The job is paid.')
  }
}

/** A job is PENDING when it begins, and IN_PROGRESS when its payment came with it. */
export function presentCreated(
  job: JobRow,
  chain: PaymentChain,
  opening: OpeningPayment,
): ResponseOf<typeof createJob> {
  const status = opening.payment === 'SETTLED' ? 'IN_PROGRESS' : 'PENDING'
  const { id, payment_method: paymentMethod, price_micro, fee_micro } = job
  return {
    a: {
      data: { jobId: id, status, paymentMethod, agreedPriceUsdc: formatUsdc(price_micro) },
    },
    b: {
      data: {
        job: {
          id,
          paymentMethod,
          status,
          agreedPrice: formatMicro(price_micro),
          platformFee: formatMicro(fee_micro),
        },
        paymentInfo: openingPaymentInfo(job, chain, opening),
      },
    },
  }
}

export function presentQuote(
  { job, reservation, expiresAt }: Quote,
  chain: PaymentChain,
  offerFor: OfferFor,
): ResponseOf<typeof quoteJob> {
  return {
    data: {
      reservation,
      expiresAt: expiresAt.toISOString(),
      paymentMethod: job.payment_method,
      agreedPrice: formatMicro(job.price_micro),
      platformFee: formatMicro(job.fee_micro),
      netAmount: formatMicro(job.net_micro),
      deadlineAt: isoOf(job.deadline_at),
      deliveryHours: job.delivery_hours,
      needsAcceptance: job.needs_acceptance,
      choices: paymentChoicesFor(job.price_micro),
      paymentInfo: quotedPaymentInfoOf(job, chain, offerFor),
    },
  }
}
