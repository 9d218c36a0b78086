import {
  formatMicro,
  formatUsdcReadable,
  KYC_FEE_MICRO,
  type NotificationType,
  type Owner,
  payKycFee,
  type settlementStatuses,
} from '@agent-marketplace/contract'
import type { PaidCalls, PaymentPurpose } from '../../house/payments.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { type Route, route, WithStatus } from '../../platform/http/call.ts'

export interface KycFeeDeps {
  db: Queryable
  paidCalls: PaidCalls
  /** Where fees go now. */
  treasury: () => Promise<string>
  ownerOf: (db: Queryable, ownerId: string) => Promise<Owner>
  /** Marks the fee as paid, in the transaction of its settlement. */
  markFeePaid: (tx: Transaction, ownerId: string, isPaid: boolean) => Promise<unknown>
  notify: (
    tx: Transaction,
    notification: { ownerId: string; type: NotificationType; title: string; message: string; link: string },
  ) => Promise<void>
}

type SettlementStatus = (typeof settlementStatuses)[number]

const PURPOSE = 'kyc.fee'

/** What happens when the fee is settled, in the same transaction. */
export function kycFeePurpose({
  markFeePaid,
  notify,
}: Pick<KycFeeDeps, 'markFeePaid' | 'notify'>): PaymentPurpose {
  return {
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
}

/** The seller's one-time verification fee: paid by x402 to the treasury, once for each owner. */
export function kycFeeRoutes(deps: KycFeeDeps): Route[] {
  const { db, paidCalls, ownerOf } = deps

  const response = (owner: Owner, status: SettlementStatus, txHash: string | null) => ({
    data: { owner, payment: { status, amount: formatMicro(KYC_FEE_MICRO), txHash } },
  })

  return [
    route(payKycFee, async (call) => {
      const { ownerId } = call.principal
      const thing = { purpose: PURPOSE, reference: ownerId }
      const before = await ownerOf(db, ownerId)
      if (before.kycFeePaid) {
        // It may be paid without a payment: the sandbox can say so.
        const paid = await paidCalls.findPayment(call, thing)
        return response(before, 'SETTLED', paid?.txHash ?? null)
      }
      const paid = await paidCalls.requirePayment(call, {
        ...thing,
        payTo: await deps.treasury(),
        amountMicro: KYC_FEE_MICRO,
        description: 'The one-time verification fee of a seller.',
      })
      const owner = await ownerOf(db, ownerId)
      if (paid.outcome === 'settled') return response(owner, 'SETTLED', paid.txHash)
      return new WithStatus(202, response(owner, 'PENDING', null))
    }),
  ]
}
