import {
  AppError,
  type CustomOrders,
  DEFAULT_DELIVERY_HOURS,
  FUNDING_PERIOD_SECONDS,
  invalidField,
  isAmlFlagged,
  type JobCreateA,
  type JobCreateB,
  type JobInput,
  type JobParty,
  parseMicro,
  railFor,
  splitPrice,
} from '@agent-marketplace/contract'
import { MIN_COUNTED_MICRO } from '@agent-marketplace/contract/rating'
import { addSeconds } from '../../../platform/clock/clock.ts'
import type { ChainPort, JobTerms } from '../../../ports/chain/port.ts'
import type { ServiceSchemas } from './agreement.ts'
import { unfunded } from './escrow-facts.ts'
import type { JobRow } from './job.ts'

/** Whom a client is about to hire. */
export interface Hire {
  agentId: string
  agentWallet: string
  agentName: string
  approvalStatus: 'PENDING' | 'APPROVED' | 'REJECTED'
  isPaused: boolean
  sellerId: string
  sellerWallet: string
  sellerIsActive: boolean
  clientWallet: string
  customOrders: CustomOrders
  /** Of the service that is ordered; null without one. */
  servicePriceMicro: bigint | null
  serviceDeliveryHours: number | null
  serviceTerms: ServiceSchemas | null
}

export interface NewJob {
  agentId: string
  title: string
  description: string
  category: string
  priceMicro: bigint
  deadlineAt: Date | null
  attachments: string[]
  /** Undefined for a custom order. */
  serviceId: string | undefined
  input: JobInput | undefined
  buyerProtection: boolean
}

const LAST_YEAR = 2100

export type JobBody = { form: 'a'; value: JobCreateA } | { form: 'b'; value: JobCreateB }

/** Either form of the request as one value. */
export function readNewJob({ form, value }: JobBody, now: Date): NewJob {
  return {
    agentId: value.agentId,
    title: value.title.trim(),
    description: value.description.trim(),
    category: value.category?.trim() ?? 'general',
    priceMicro: parseMicro(value.agreedPrice),
    deadlineAt: form === 'a' ? deadlineIn(value.deadlineHours, now) : readDeadline(value.deadline, now),
    attachments: value.attachments ?? [],
    serviceId: value.serviceId,
    input: value.input,
    buyerProtection: value.buyerProtection ?? false,
  }
}

/** The escrow counts in seconds, so deadlines are whole ones on both rails. */
const wholeSeconds = (time: Date): Date => new Date(Math.floor(time.getTime() / 1000) * 1000)

function deadlineIn(hours: number | undefined, now: Date): Date | null {
  return hours === undefined ? null : wholeSeconds(addSeconds(now, hours * 3600))
}

function readDeadline(deadline: string | undefined, now: Date): Date | null {
  if (deadline === undefined) return null
  const time = wholeSeconds(new Date(deadline))
  if (time <= now) throw invalidField('deadline', 'is in the past')
  if (time.getUTCFullYear() >= LAST_YEAR)
    throw invalidField('deadline', `is not before the year ${LAST_YEAR}`)
  return time
}

type Openness = Pick<Hire, 'approvalStatus' | 'isPaused' | 'sellerIsActive'>

export const isHireable = ({ approvalStatus, isPaused, sellerIsActive }: Openness): boolean =>
  approvalStatus !== 'REJECTED' && !isPaused && sellerIsActive

export function checkHireable(hire: Openness): void {
  if (isHireable(hire)) return
  const { approvalStatus, isPaused, sellerIsActive } = hire
  const status = !sellerIsActive ? 'SUSPENDED' : isPaused ? 'PAUSED' : approvalStatus
  throw new AppError('INVALID_STATE', {
    message: 'This agent cannot be hired now.',
    details: { status, allowed: ['APPROVED', 'PENDING'] },
  })
}

/** Whether the agent takes this order at all: one of its services at its price, or a custom one. */
export function checkOrder(
  { serviceId, priceMicro }: Pick<NewJob, 'serviceId' | 'priceMicro'>,
  { customOrders, servicePriceMicro }: Pick<Hire, 'customOrders' | 'servicePriceMicro'>,
): void {
  if (serviceId !== undefined) {
    if (servicePriceMicro === null) throw invalidField('serviceId', 'is none of this agent’s services')
    if (priceMicro < servicePriceMicro) throw invalidField('agreedPrice', 'is below the price of the service')
    return
  }
  if (customOrders !== 'OFF') return
  throw new AppError('INVALID_STATE', {
    message: 'This agent takes no custom orders. Choose one of its services.',
    details: { status: 'OFF', allowed: ['INSTANT', 'ON_REQUEST'] },
  })
}

/** Until when it must be paid. The escrow takes no deposit after the deadline. */
export function fundByOf(now: Date, deadlineAt: Date | null): Date {
  const latest = addSeconds(now, FUNDING_PERIOD_SECONDS)
  return deadlineAt !== null && deadlineAt < latest ? deadlineAt : latest
}

/** A job as it begins: routed, priced and with its clocks set. */
export function openJob(
  id: string,
  given: NewJob,
  hire: Hire,
  {
    clientId,
    isVerified,
    paidInCall = false,
    now,
  }: { clientId: string; isVerified: boolean; paidInCall?: boolean; now: Date },
): Omit<JobRow, 'escrowKey'> {
  const { buyerProtection } = given
  const { method: paymentMethod, holdsMoney } = railFor(given.priceMicro, { buyerProtection })
  const { feeMicro, netMicro } = splitPrice(given.priceMicro, paymentMethod)
  return {
    id,
    agentId: hire.agentId,
    clientId,
    sellerId: hire.sellerId,
    clientWallet: hire.clientWallet,
    sellerWallet: hire.sellerWallet,
    agentWallet: hire.agentWallet,
    title: given.title,
    description: given.description,
    category: given.category,
    attachments: given.attachments,
    paymentMethod,
    priceMicro: given.priceMicro,
    feeMicro,
    netMicro,
    amlFlagged: isAmlFlagged(given.priceMicro, isVerified),
    counts: clientId !== hire.sellerId && given.priceMicro >= MIN_COUNTED_MICRO,
    deadlineAt: given.deadlineAt,
    createdAt: now,
    status: 'PENDING',
    decidedStatus: 'PENDING',
    decisions: 0,
    openIntents: [],
    depositIntent: null,
    fundBy: fundByOf(now, given.deadlineAt),
    dueAt: given.deadlineAt,
    reviewEndsAt: null,
    undecidedAt: null,
    changeRequests: 0,
    deadlineTold: false,
    deliveryCid: null,
    endedAt: null,
    escrowFacts: holdsMoney ? unfunded : null,
    serviceId: given.serviceId ?? null,
    deliveryHours: hire.serviceDeliveryHours ?? DEFAULT_DELIVERY_HOURS,
    buyerProtection: buyerProtection && !railFor(given.priceMicro).holdsMoney,
    needsAcceptance: given.serviceId === undefined && hire.customOrders === 'ON_REQUEST',
    paidInCall,
    paidAt: null,
    payerWallet: null,
    owedAt: null,
    undelivered: false,
    refundState: null,
    refundTxHash: null,
    refundedAt: null,
  }
}

type TermsOf = Pick<
  JobRow,
  'id' | 'clientWallet' | 'sellerWallet' | 'agentWallet' | 'priceMicro' | 'deadlineAt'
>

/** What the escrow is to hold the parties to. */
export function termsOf(
  job: TermsOf,
  { escrow, checksumAddress }: Pick<ChainPort, 'escrow' | 'checksumAddress'>,
): JobTerms {
  return {
    jobRef: escrow.refOf(job.id),
    client: checksumAddress(job.clientWallet),
    seller: checksumAddress(job.sellerWallet),
    agentWallet: checksumAddress(job.agentWallet),
    amountMicro: job.priceMicro,
    deadline: job.deadlineAt === null ? 0 : job.deadlineAt.getTime() / 1000,
  }
}

export function rolesOf(job: Pick<JobRow, 'clientId' | 'sellerId'>, ownerId: string): JobParty[] {
  const roles: JobParty[] = []
  if (job.clientId === ownerId) roles.push('CLIENT')
  if (job.sellerId === ownerId) roles.push('SELLER')
  return roles
}
