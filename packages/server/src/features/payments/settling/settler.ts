import type { ChargedTo } from '../../../house/payments.ts'
import type { IntentKind } from '../../../money/intents/intents.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { PreparedCall } from '../../../ports/payments/port.ts'
import type { PaymentRow } from '../store.ts'

export interface BeginOptions {
  /** Makes the payer's wallet first. */
  deployment: PreparedCall | undefined
  /** The payer is no plain wallet: it decides by itself how much gas its signature costs. */
  isContract: boolean
  /** Whose gas budget it is taken from, where the service pays the gas. */
  chargedTo: ChargedTo
}

/** What executes payments: the money engine, or an external facilitator. */
export interface Settler {
  /** How it moves money, where the service does so itself. */
  intentKinds: readonly IntentKind[]
  /** Runs in the transaction that takes the payment. */
  begin(tx: Transaction, row: PaymentRow, options: BeginOptions): Promise<void>
  /** Resolves when the outcome is written, or at the time limit. `isFirst`: it was not requested before. */
  settle(row: PaymentRow, options: { waitMs: number; isFirst: boolean }): Promise<void>
  /** The transaction that was signed for it last, where the service sends by itself. */
  findSent(row: PaymentRow): Promise<string | undefined>
  /** The chain knows nothing of a payment that was begun long ago. */
  sendAgain(row: PaymentRow): Promise<void>
  close(): Promise<void>
}
