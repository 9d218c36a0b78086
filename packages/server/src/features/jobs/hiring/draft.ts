import { AppError, type KycStatus, railOf } from '@agent-marketplace/contract'
import type { ChainPort } from '../../../ports/chain/port.ts'
import { type Agreement, agreementOf } from '../lifecycle/agreement.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { checkHireable, checkOrder, type Hire, type NewJob, openJob, termsOf } from '../lifecycle/rules.ts'

export interface Client {
  ownerId: string
  kycStatus: KycStatus
  /** Of the credential that hires. */
  budget?: { id: string } | undefined
}

/** A job as it would begin now, with the key that the escrow would keep it under; what is agreed on; its agent's name. */
export function draftFor(
  hire: Hire | undefined,
  chain: Pick<ChainPort, 'escrow' | 'checksumAddress'>,
  {
    id,
    given,
    client,
    paidInCall,
    now,
  }: { id: string; given: NewJob; client: Client; paidInCall: boolean; now: Date },
): { job: JobRow; agreement: Agreement | null; agentName: string } {
  if (!hire) throw new AppError('NOT_FOUND', { message: 'There is no such agent.' })
  checkHireable(hire)
  checkOrder(given, hire)
  const agreement = agreementOf(given, hire.serviceTerms)
  const isVerified = client.kycStatus === 'VERIFIED'
  const opened = openJob(id, given, hire, { clientId: client.ownerId, isVerified, paidInCall, now })
  const isEscrow = railOf(opened.paymentMethod).holdsMoney
  const escrowKey = isEscrow ? chain.escrow.keyOf(termsOf(opened, chain)) : null
  return { job: { ...opened, escrowKey }, agreement, agentName: hire.agentName }
}
