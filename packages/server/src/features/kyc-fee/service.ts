import {
  formatUsdcReadable,
  KYC_FEE_MICRO,
  type Owner,
  type settlementStatuses,
} from '@agent-marketplace/contract'
import type { PaidCall, PaidCalls, PaymentPurpose } from '../../house/payments.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Notify } from '../../platform/notices/notice.ts'

export interface KycFeeDeps {
  db: Queryable
  paidCalls: PaidCalls
  /** Where fees go now. */
  treasury: () => Promise<string>
  ownerOf: (db: Queryable, ownerId: string) => Promise<Owner>
  /** Marks the fee as paid, in the transaction of its settlement. */
  markFeePaid: (tx: Transaction, ownerId: string, isPaid: boolean) => Promise<unknown>
  notify: Notify
}

export interface PaidFee {
  owner: Owner
  status: (typeof settlementStatuses)[number]
  txHash: string | null
}

const PURPOSE = 'kyc.fee'

/** The seller's one-time verification fee: paid by x402 to the treasury, once for each owner. */
export function createKycFee({ db, paidCalls, treasury, ownerOf, markFeePaid, notify }: KycFeeDeps) {
  /** What happens when the fee is settled, in the same transaction. */
  const purpose: PaymentPurpose = {
    name: PURPOSE,
    journalKind: 'kyc.fee',
    journalReference: async (_tx, { reference: ownerId }) => ({ ownerId }),
    async onSettled(tx, { reference: ownerId, amountMicro }) {
      await markFeePaid(tx, ownerId, true)
      await notify(tx, {
        ownerId,
        type: 'KYC_FEE_PAID',
        title: 'Verification fee paid',
        message: `Your payment of ${formatUsdcReadable(amountMicro)} USDC has arrived.`,
        link: '/sell/verify',
      })
    },
    onReverted: async (tx, { reference: ownerId }) => void (await markFeePaid(tx, ownerId, false)),
  }

  return {
    purpose,

    async pay(call: PaidCall & { principal: { ownerId: string } }): Promise<PaidFee> {
      const { ownerId } = call.principal
      const thing = { purpose: PURPOSE, reference: ownerId }
      const before = await ownerOf(db, ownerId)
      if (before.kycFeePaid) {
        // It may be paid without a payment: the sandbox can say so.
        const paid = await paidCalls.findPayment(call, thing)
        return { owner: before, status: 'SETTLED', txHash: paid?.outcome === 'settled' ? paid.txHash : null }
      }
      const paid = await paidCalls.requirePayment(call, {
        ...thing,
        payTo: await treasury(),
        amountMicro: KYC_FEE_MICRO,
        description: 'The one-time verification fee of a seller.',
      })
      const owner = await ownerOf(db, ownerId)
      if (paid.outcome === 'settled') return { owner, status: 'SETTLED', txHash: paid.txHash }
      return { owner, status: 'PENDING', txHash: null }
    },
  }
}

export type KycFee = ReturnType<typeof createKycFee>
