import {
  AppError,
  type CustomOrders,
  FUNDING_PERIOD_SECONDS,
  invalidField,
  type JobParty,
} from '@agent-marketplace/contract'
import { addSeconds } from '../../../platform/clock/clock.ts'
import type { ServiceSchemas } from './agreement.ts'
import type { JobRow } from './job.ts'

import type { NewJob } from './read-new-job.ts'

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

export function rolesOf(job: Pick<JobRow, 'clientId' | 'sellerId'>, ownerId: string): JobParty[] {
  const roles: JobParty[] = []
  if (job.clientId === ownerId) roles.push('CLIENT')
  if (job.sellerId === ownerId) roles.push('SELLER')
  return roles
}
