import {
  type Delivery,
  formatMicro,
  type getJob,
  type Job,
  type JobDetail,
  type ListedJob,
  MAX_CHANGE_REQUESTS,
  type PendingAction,
  type Refund,
} from '@agent-marketplace/contract'
import type { ResponseOf } from '../../../platform/http/call.ts'
import { noAgreement } from '../lifecycle/agreement.ts'
import type { Side } from '../lifecycle/escrow-facts.ts'
import { isOverdue, type JobRow, type TrueJob, withTruth } from '../lifecycle/job.ts'
import { isClaim } from '../lifecycle/moves/overtaking.ts'
import type { EscrowEffect } from '../lifecycle/moves/transitions.ts'
import { nextActionOf } from '../lifecycle/next-action.ts'
import { type PaymentChain, paymentInfoOf } from '../payment/payment-info.ts'
import type { JobDetails } from './detail-store.ts'
import type { ListedJob as ListedJobRow } from './list-store.ts'

/** The viewer of a job. */
export interface Viewer {
  ownerId: string
  isAdmin: boolean
}

const isoOf = (time: Date | null): string | null => time?.toISOString() ?? null
/** Times inside of JSON come as the database writes them. */
const isoOfText = (time: string): string => new Date(time).toISOString()

/** The chain's state while a claim is pending; otherwise the decision, which the chain follows. */
export function shownJob<Job extends TrueJob>(job: Job, isConfirmed = true): Job {
  const { escrowFacts: facts } = job
  if (facts === null || (isConfirmed && !job.openIntents.some(isClaim))) return job
  return withTruth({ ...job, openIntents: [] }, job.createdAt)
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
    agentId: job.agentId,
    clientId: job.clientId,
    title: job.title,
    description: job.description,
    status: job.status,
    paymentMethod: job.paymentMethod,
    agreedPrice: formatMicro(job.priceMicro),
    platformFee: formatMicro(job.feeMicro),
    netAmount: formatMicro(job.netMicro),
    deliveryCid: job.deliveryCid,
    createdAt: job.createdAt.toISOString(),
    deadlineAt: isoOf(job.dueAt),
    overdue: isOverdue(job, now),
    serviceId: job.serviceId,
    buyerProtection: job.buyerProtection,
    needsAcceptance: job.status === 'PENDING' && job.needsAcceptance,
    refund: presentRefund(job),
    escrowState: job.escrowFacts?.state ?? null,
    nextAction: nextActionOf(job, offeredBy, now),
    fundBy: job.status === 'PENDING' ? isoOf(job.fundBy) : null,
    reviewEndsAt: job.status === 'UNDER_REVIEW' ? isoOf(job.reviewEndsAt) : null,
    ...(isAdmin ? { amlFlagged: job.amlFlagged } : {}),
  }
}

function presentRefund(job: JobRow): Refund | null {
  const { refundState: status, payerWallet: to } = job
  if (status === null || to === null) return null
  return {
    status,
    amount: formatMicro(job.priceMicro),
    to,
    txHash: job.refundTxHash,
    refundedAt: isoOf(job.refundedAt),
  }
}

export function presentListed(job: ListedJobRow, viewer: Pick<Viewer, 'isAdmin'>, now: Date): ListedJob {
  const { agentName: name, agentWallet: walletAddress, agentAvatarUrl: avatarUrl } = job
  return { ...presentJob(job, job.offeredBy, viewer, { now }), agent: { name, walletAddress, avatarUrl } }
}

/** `isConfirmed` is false in a 202: the decision is pending, and nothing is shown as if it were final. */
export function presentDetail(
  job: JobDetails,
  viewer: Viewer,
  chain: PaymentChain,
  { isConfirmed = true } = {},
): ResponseOf<typeof getJob> {
  const base = {
    ...presentJob(job, job.dispute?.offeredBy ?? null, viewer, { now: job.now, isConfirmed }),
    pending: presentPending(job, chain),
    allowedActions: job.allowedActions,
  }
  const isPayable = job.status === 'PENDING' && !job.needsAcceptance && job.clientId === viewer.ownerId
  const deliveries = presentDeliveries(job)
  const detail: JobDetail = {
    ...base,
    category: job.category,
    attachments: job.attachments,
    files: job.hireFiles.flatMap((id) => job.files.get(id) ?? []),
    ...(job.agreement ?? noAgreement),
    client: { id: job.clientId, walletAddress: job.clientWallet, entityName: job.clientName ?? '' },
    agent: {
      id: job.agentId,
      ownerId: job.sellerId,
      name: job.agentName,
      walletAddress: job.agentWallet,
      avatarUrl: job.agentAvatarUrl,
    },
    timeline: job.timeline.map(({ id, type, actor, message, txHash, createdAt }) => ({
      id,
      type,
      actor,
      message,
      txHash,
      createdAt: isoOfText(createdAt),
    })),
    delivery: deliveries.at(-1) ?? null,
    deliveries,
    paymentInfo: isPayable ? paymentInfoOf(job, chain) : null,
    changeRequestsLeft: Math.max(0, MAX_CHANGE_REQUESTS - job.changeRequests),
    dispute: base.status === 'DISPUTED' || !hasOpenClaim(job) ? presentDispute(job) : null,
    review: job.review,
  }
  return { a: { data: base }, b: { data: { job: detail } } }
}

const presentDeliveries = ({ deliveries, files }: JobDetails): Delivery[] =>
  deliveries.map(({ isJson, files: ids, deliveredAt, ...delivery }, place) => ({
    ...delivery,
    output: isJson ? JSON.parse(delivery.content ?? 'null') : null,
    files: ids.flatMap((id) => files.get(id) ?? []),
    version: place + 1,
    deliveredAt: isoOfText(deliveredAt),
  }))

const hasOpenClaim = ({ openIntents }: JobRow): boolean => openIntents.some(isClaim)

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
  undecidedAt,
}: Pick<JobDetails, 'dispute' | 'evidence' | 'undecidedAt'>): JobDetail['dispute'] {
  if (dispute === null || undecidedAt === null) return null
  const { offeredBy, offeredBps, offeredAt } = dispute
  const hasOffer = offeredBy !== null && offeredBps !== null && offeredAt !== null
  return {
    openedBy: dispute.openedBy,
    reason: dispute.reason,
    openedAt: isoOfText(dispute.openedAt),
    undecidedAt: undecidedAt.toISOString(),
    evidence: evidence.map(({ givenBy, reason, uris, createdAt }) => ({
      by: givenBy,
      reason,
      uris,
      createdAt: isoOfText(createdAt),
    })),
    settlement: hasOffer
      ? { proposedBy: offeredBy, sellerBps: offeredBps, createdAt: isoOfText(offeredAt) }
      : null,
    sellerBps: dispute.sellerBps,
  }
}
