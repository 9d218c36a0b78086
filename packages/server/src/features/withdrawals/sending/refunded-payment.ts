import { JOB_PURPOSE } from '../../../house/payments.ts'
import { IntentRejected } from '../../../money/intents/intents.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { PAYMENT_GONE } from '../rules.ts'
import { findSigned, isPaymentFirm } from '../store.ts'

export interface RefundedPaymentDeps {
  db: Queryable
  chainId: number
  /** Whether something is paid for by x402, or a payment for it is under way. */
  isPaid: (db: Queryable, purpose: string, reference: string) => Promise<boolean>
}

export type CheckPayment = (withdrawalId: string) => Promise<void>

/**
 * Nothing is signed for a refund before its payment is where no fork is expected to take it back. A signature cannot be
 * recalled: if a fork took the payment alone, the refund would be paid from other money of the agent.
 */
export function createPaymentCheck({ db, chainId, isPaid }: RefundedPaymentDeps): CheckPayment {
  return async (withdrawalId) => {
    const { jobId } = await findSigned(db, withdrawalId)
    if (jobId === null || (await isPaymentFirm(db, { chainId, jobId }))) return
    if (!(await isPaid(db, JOB_PURPOSE, jobId))) throw new IntentRejected(PAYMENT_GONE)
    throw new Error('the payment that this refund returns is not in a safe block yet')
  }
}
