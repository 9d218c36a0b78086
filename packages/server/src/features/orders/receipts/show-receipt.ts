import type { JobDetail } from '@agent-marketplace/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { JOB_PURPOSE, type PaidCalls } from '../../../house/payments.ts'
import { orderUrlOf } from '../../../house/services/payable-service.ts'
import type { SignedReceipts } from './signed-receipts.ts'

export interface ReceiptShowingDeps {
  publicUrl: URL
  paidCalls: Pick<PaidCalls, 'findPayment'>
  receipts: Pick<SignedReceipts, 'receiptFor'> | undefined
}

/** A receipt says that what was paid for was delivered, so it comes with the result, in the call that pays or later. */
export function createReceiptShowing({ publicUrl, paidCalls, receipts }: ReceiptShowingDeps) {
  return async (
    call: { request: FastifyRequest; reply: FastifyReply },
    { id, agent, serviceId }: Pick<JobDetail, 'id' | 'agent' | 'serviceId'>,
  ): Promise<void> => {
    if (!receipts || serviceId === null) return
    const resourceUrl = orderUrlOf(publicUrl, agent.walletAddress, serviceId)
    await paidCalls.findPayment(call, { purpose: JOB_PURPOSE, reference: id }, (paid) =>
      receipts.receiptFor(resourceUrl, paid),
    )
  }
}
