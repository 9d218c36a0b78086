import type { Database } from '../../platform/db/database.ts'
import type { Fate, PaymentsPort } from '../../ports/payments/port.ts'
import type { Conclusion } from './conclusion.ts'
import { type PaymentRow, paymentOf } from './payments-store.ts'

/**
 * Asks the chain what became of a payment and writes it down. False while it can still go either way. Whether its time is
 * over the chain says as well: taken for over too early, what is still on its way would be asked for a second time.
 */
export function createLookUp(deps: {
  db: Database
  port: PaymentsPort
  conclusion: Conclusion
}): (row: PaymentRow) => Promise<boolean> {
  const { db, port, conclusion } = deps

  return async (row) => {
    const fate = await port.lookUp(paymentOf(row), row.since_block)
    if (fate.status === 'transferred') {
      await db.transaction((tx) => conclusion.settled(tx, row, fate.place))
      return true
    }
    const reason = reasonAgainst(row, fate.status)
    if (reason === undefined) return false
    await db.transaction((tx) => conclusion.rejected(tx, row, reason))
    return true
  }
}

function reasonAgainst(
  { reason }: PaymentRow,
  fate: Exclude<Fate['status'], 'transferred'>,
): string | undefined {
  if (fate === 'spent') return 'invalid_exact_evm_nonce_already_used'
  if (reason !== null) return reason
  return fate === 'expired' ? 'invalid_exact_evm_payload_authorization_valid_before' : undefined
}
