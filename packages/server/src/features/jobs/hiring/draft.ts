import { AppError, type KycStatus, railOf } from '@agent-marketplace/contract'
import type { ChainPort, Hex } from '../../../ports/chain/port.ts'
import { type Agreement, agreementOf } from '../lifecycle/agreement.ts'
import { termsOf } from '../lifecycle/escrow-terms.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { openJob } from '../lifecycle/open-job.ts'
import type { NewJob } from '../lifecycle/read-new-job.ts'
import { checkHireable, checkOrder, type Hire } from '../lifecycle/rules.ts'

export interface Client {
  ownerId: string
  kycStatus: KycStatus
  /** Of the credential that hires. */
  budget?: { id: string } | undefined
}

/** A job as it would begin now, with the key that the escrow would keep it under; what is agreed on; its agent's name. */
export function draftFor(
  hire: Hire | undefined,
  { escrow }: Pick<ChainPort, 'escrow'>,
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
  const escrowKey = isEscrow ? escrow.keyOf(termsOf(opened, { escrow, checksumAddress: asKept })) : null
  return { job: { ...opened, escrowKey }, agreement, agentName: hire.agentName }
}

/** A key is the same for every spelling of an address, and each checksum would cost a hash. */
const asKept = (address: string) => address as Hex
