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
  type NextAction,
  parseMicro,
  railFor,
  splitPrice,
} from '@agent-marketplace/contract'
import { MIN_COUNTED_MICRO } from '@agent-marketplace/contract/rating'
import { addSeconds } from '../../../platform/clock/clock.ts'
import type { ChainPort, JobTerms } from '../../../ports/chain/port.ts'
import type { ServiceSchemas } from './agreement.ts'
import { type Side, unfunded } from './escrow-facts.ts'
import { isOverdue, type JobRow, keepsPay } from './job.ts'

/** Whom a client is about to hire. */
export interface Hire {
  agent_id: string
  agent_wallet: string
  agent_name: string
  approval_status: 'PENDING' | 'APPROVED' | 'REJECTED'
  is_paused: boolean
  seller_id: string
  seller_wallet: string
  seller_is_active: boolean
  client_wallet: string
  custom_orders: CustomOrders
  /** Of the service that is ordered; null without one. */
  service_price_micro: bigint | null
  service_delivery_hours: number | null
  service_terms: ServiceSchemas | null
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

type Openness = Pick<Hire, 'approval_status' | 'is_paused' | 'seller_is_active'>

export const isHireable = ({ approval_status, is_paused, seller_is_active }: Openness): boolean =>
  approval_status !== 'REJECTED' && !is_paused && seller_is_active

export function checkHireable(hire: Openness): void {
  if (isHireable(hire)) return
  const { approval_status, is_paused, seller_is_active } = hire
  const status = !seller_is_active ? 'SUSPENDED' : is_paused ? 'PAUSED' : approval_status
  throw new AppError('INVALID_STATE', {
    message: 'This agent cannot be hired now.',
    details: { status, allowed: ['APPROVED', 'PENDING'] },
  })
}

/** Whether the agent takes this order at all: one of its services at its price, or a custom one. */
export function checkOrder(
  { serviceId, priceMicro }: Pick<NewJob, 'serviceId' | 'priceMicro'>,
  { custom_orders, service_price_micro }: Pick<Hire, 'custom_orders' | 'service_price_micro'>,
): void {
  if (serviceId !== undefined) {
    if (service_price_micro === null) throw invalidField('serviceId', 'is none of this agent’s services')
    if (priceMicro < service_price_micro)
      throw invalidField('agreedPrice', 'is below the price of the service')
    return
  }
  if (custom_orders !== 'OFF') return
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
  { clientId, isVerified, now }: { clientId: string; isVerified: boolean; now: Date },
): Omit<JobRow, 'escrow_key'> {
  const { buyerProtection } = given
  const { method: payment_method, holdsMoney } = railFor(given.priceMicro, { buyerProtection })
  const { feeMicro, netMicro } = splitPrice(given.priceMicro, payment_method)
  return {
    id,
    agent_id: hire.agent_id,
    client_id: clientId,
    seller_id: hire.seller_id,
    client_wallet: hire.client_wallet,
    seller_wallet: hire.seller_wallet,
    agent_wallet: hire.agent_wallet,
    title: given.title,
    description: given.description,
    category: given.category,
    attachments: given.attachments,
    payment_method,
    price_micro: given.priceMicro,
    fee_micro: feeMicro,
    net_micro: netMicro,
    aml_flagged: isAmlFlagged(given.priceMicro, isVerified),
    counts: clientId !== hire.seller_id && given.priceMicro >= MIN_COUNTED_MICRO,
    deadline_at: given.deadlineAt,
    created_at: now,
    status: 'PENDING',
    decided_status: 'PENDING',
    decisions: 0,
    open_intents: [],
    deposit_intent: null,
    fund_by: fundByOf(now, given.deadlineAt),
    due_at: given.deadlineAt,
    review_ends_at: null,
    undecided_at: null,
    change_requests: 0,
    deadline_told: false,
    delivery_cid: null,
    ended_at: null,
    escrow_facts: holdsMoney ? unfunded : null,
    service_id: given.serviceId ?? null,
    delivery_hours: hire.service_delivery_hours ?? DEFAULT_DELIVERY_HOURS,
    buyer_protection: buyerProtection && !railFor(given.priceMicro).holdsMoney,
    needs_acceptance: given.serviceId === undefined && hire.custom_orders === 'ON_REQUEST',
    paid_at: null,
    payer_wallet: null,
    owed_at: null,
    undelivered: false,
    refund_state: null,
    refund_tx_hash: null,
    refunded_at: null,
  }
}

type TermsOf = Pick<
  JobRow,
  'id' | 'client_wallet' | 'seller_wallet' | 'agent_wallet' | 'price_micro' | 'deadline_at'
>

/** What the escrow is to hold the parties to. */
export function termsOf(
  job: TermsOf,
  { escrow, checksumAddress }: Pick<ChainPort, 'escrow' | 'checksumAddress'>,
): JobTerms {
  return {
    jobRef: escrow.refOf(job.id),
    client: checksumAddress(job.client_wallet),
    seller: checksumAddress(job.seller_wallet),
    agentWallet: checksumAddress(job.agent_wallet),
    amountMicro: job.price_micro,
    deadline: job.deadline_at === null ? 0 : job.deadline_at.getTime() / 1000,
  }
}

export function rolesOf(job: Pick<JobRow, 'client_id' | 'seller_id'>, ownerId: string): JobParty[] {
  const roles: JobParty[] = []
  if (job.client_id === ownerId) roles.push('CLIENT')
  if (job.seller_id === ownerId) roles.push('SELLER')
  return roles
}

/** Whose turn it is, in data and in words. */
export function nextActionOf(job: JobRow, offeredBy: Side | null, now: Date): NextAction | null {
  const next = (
    actor: NextAction['actor'],
    action: NextAction['action'],
    dueAt: Date | null,
    message: string,
  ): NextAction => ({ actor, action, dueAt: dueAt?.toISOString() ?? null, message })
  switch (job.status) {
    case 'PENDING':
      if (job.needs_acceptance)
        return next('SELLER', 'ACCEPT', job.fund_by, 'Accept the order or decline it.')
      return next('CLIENT', 'PAY', job.fund_by, 'Pay for the job.')
    case 'IN_PROGRESS':
      if (job.refund_state === 'PENDING') return null
      if (job.payment_method === 'X402' && isOverdue(job, now)) {
        return next(
          'SELLER',
          'DELIVER',
          job.due_at,
          'The deadline has passed. Hand in the work, or refund it.',
        )
      }
      return next('SELLER', 'DELIVER', job.due_at, 'Hand in the work.')
    case 'CANCELLED':
      if (!keepsPay(job) || job.refund_state === 'PENDING') return null
      return next('SELLER', 'REFUND', null, 'The job was cancelled. Give the money back.')
    case 'UNDER_REVIEW':
      return next('CLIENT', 'REVIEW', job.review_ends_at, 'Approve the delivery or ask for changes.')
    case 'DISPUTED': {
      if (offeredBy === null) return next('ARBITER', 'RULE', job.undecided_at, 'The multisig decides.')
      const other = offeredBy === 'CLIENT' ? 'SELLER' : 'CLIENT'
      return next(other, 'ANSWER_SETTLEMENT', job.undecided_at, 'Accept the offer, or make another one.')
    }
    default:
      return null
  }
}
