import type { PaymentPurpose } from '../../../house/payments.ts'
import type { Account } from '../../../money/books/accounts.ts'
import { postEntry } from '../../../money/books/journal.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { TransferPlace } from '../../../ports/payments/port.ts'
import { announceConclusion, type PaymentRow, savePendingAgain, saveRejected, saveSettled } from '../store.ts'

export interface Conclusion {
  settled(tx: Transaction, row: PaymentRow, place: TransferPlace, intentId?: string): Promise<void>
  rejected(tx: Transaction, row: PaymentRow, reason: string): Promise<void>
  reverted(tx: Transaction, row: PaymentRow): Promise<void>
}

/** The one way an outcome is written: row, journal and the purpose's own effect together, once. */
export function createConclusion(deps: {
  clock: Clock
  accountOf: (address: string) => Account
  checksumAddress: (address: string) => string
  purposeOf: (name: string) => PaymentPurpose
}): Conclusion {
  const { clock, accountOf, purposeOf } = deps

  async function post(
    tx: Transaction,
    row: PaymentRow,
    place: TransferPlace,
    intentId?: string,
  ): Promise<void> {
    const purpose = purposeOf(row.purpose)
    // Paying oneself moves nothing, and the journal holds movements alone.
    if (row.payer === row.payTo) return
    await postEntry(tx, {
      kind: purpose.journalKind,
      at: place.blockTime,
      postings: [
        { account: accountOf(row.payer), amountMicro: -row.amountMicro },
        { account: accountOf(row.payTo), amountMicro: row.amountMicro },
      ],
      intentId,
      requestId: row.requestId ?? undefined,
      chain: { chainId: row.chainId, ...place },
      reference: await purpose.journalReference?.(tx, { reference: row.reference, payTo: row.payTo }),
    })
  }

  return {
    async settled(tx, pending, place, intentId) {
      const row = await saveSettled(tx, pending.id, place.txHash, clock.now())
      if (!row) return
      await post(tx, row, place, intentId)
      await purposeOf(row.purpose).onSettled?.(tx, {
        id: row.id,
        reference: row.reference,
        payer: deps.checksumAddress(row.payer),
        payTo: deps.checksumAddress(row.payTo),
        amountMicro: row.amountMicro,
        txHash: place.txHash,
        blockTime: place.blockTime,
        requestId: row.requestId,
      })
      await announceConclusion(tx, row.id)
    },

    async rejected(tx, pending, reason) {
      const row = await saveRejected(tx, pending.id, reason, clock.now())
      if (!row) return
      await purposeOf(row.purpose).onRejected?.(tx, { reference: row.reference, reason })
      await announceConclusion(tx, row.id)
    },

    async reverted(tx, concluded) {
      const row = await savePendingAgain(tx, concluded.id)
      const { onReverted, onReopened } = purposeOf(row.purpose)
      if (concluded.status === 'SETTLED') await onReverted?.(tx, { reference: row.reference })
      if (concluded.status === 'REJECTED') await onReopened?.(tx, { reference: row.reference })
    },
  }
}
