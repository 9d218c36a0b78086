import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { PaymentsPort } from '../../ports/payments/port.ts'
import type { Conclusion } from './conclusion.ts'
import { type PaymentRow, paymentOf } from './payments-store.ts'

/** The chain may lag behind the clock; an authorization is over only when both agree by far. */
const EXPIRY_MARGIN_SECONDS = 60

/** Asks the chain what became of a payment and writes it down. False while it can still go either way. */
export function createLookUp(deps: {
  db: Database
  /** The time of the chain. */
  chainClock: Clock
  port: PaymentsPort
  conclusion: Conclusion
}): (row: PaymentRow) => Promise<boolean> {
  const { db, chainClock, port, conclusion } = deps

  return async (row) => {
    const fate = await port.lookUp(paymentOf(row), row.since_block)
    if (fate.status === 'transferred') {
      await db.transaction((tx) => conclusion.settled(tx, row, fate.place))
      return true
    }
    const reason = fate.status === 'spent' ? 'invalid_exact_evm_nonce_already_used' : reasonAgainst(row)
    if (reason === undefined) return false
    await db.transaction((tx) => conclusion.rejected(tx, row, reason))
    return true
  }

  function reasonAgainst(row: PaymentRow): string | undefined {
    if (row.reason !== null) return row.reason
    const overAt = new Date(Number(row.valid_before) * 1000)
    if (addSeconds(overAt, EXPIRY_MARGIN_SECONDS) > chainClock.now()) return undefined
    return 'invalid_exact_evm_payload_authorization_valid_before'
  }
}
