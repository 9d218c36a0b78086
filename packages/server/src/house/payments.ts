import type { JournalReference } from '../money/books/journal.ts'
import type { Queryable } from '../platform/db/queryable.ts'
import type { Transaction } from '../platform/db/transaction.ts'
import type { Principal } from '../platform/http/principal.ts'
import type { Offer, Payment } from '../ports/payments/port.ts'

/** What jobs are paid for as; the reference is the job's id. */
export const JOB_PURPOSE = 'job'

/** Calls that return a settlement wait this long for it, then return it as pending. Stock clients give up after 90 s. */
export const SETTLEMENT_WAIT_MS = 20_000

/** The service pays the gas: for those without an account it settles nothing that is worth less. */
export const LEAST_SETTLED_MICRO = 1_000n

/** A payment as those who asked for it see it. */
export interface SettledPayment {
  id: string
  /** What it is about, as its purpose named it. */
  reference: string
  payer: string
  payTo: string
  amountMicro: bigint
  txHash: string
  blockTime: Date
  requestId: string | null
}

/**
 * Something that is paid for by x402. The handlers run in the transaction that writes the outcome down, so that neither
 * can be without the other.
 */
export interface PaymentPurpose {
  name: string
  /** The kind of its journal entries. */
  journalKind: string
  journalReference?(tx: Transaction, payment: { reference: string; payTo: string }): Promise<JournalReference>
  onSettled?(tx: Transaction, payment: SettledPayment): Promise<void>
  onRejected?(tx: Transaction, payment: { reference: string; reason: string }): Promise<void>
  /** A reorganisation took the settlement back; it is sent again. Its journal entry is reversed already. */
  onReverted?(tx: Transaction, payment: { reference: string }): Promise<void>
  /** A reorganisation took back what a rejection rested on: the payment is open again. */
  onReopened?(tx: Transaction, payment: { reference: string }): Promise<void>
}

/** What the payer says it accepted; version 1 names only scheme and network. */
export interface AcceptedOffer {
  scheme: string
  network: string
  amount?: string
  asset?: string
  payTo?: string
}

export interface ReadPayment {
  accepted: AcceptedOffer
  payment: Payment
  /** What the payer calls the purchase by, so that a repeated one is known (the extension `payment-identifier`). */
  identifier?: string | undefined
}

/** A payment in a header. */
export interface SentPayment extends ReadPayment {
  /** Of the header as it came: the same for the very same header alone. */
  digest: string
  /** What the client echoes of the offer's extensions. */
  extensions?: unknown
}

/** The owner who asks; the payer where nobody is signed in, who is a guest then. */
export interface ChargedTo {
  account: string
  isGuest: boolean
}

export interface PaymentOrder {
  payment: Payment
  offer: Offer
  /** Why the payment does not fit the offer. One that was taken before counts all the same. */
  mismatch?: string | undefined
  purpose: string
  /** The one thing that is paid for, within its purpose. */
  reference: string
  requestId: string | null
  /** Whose gas budget it is taken from. */
  chargedTo: ChargedTo
  waitMs: number
  /**
   * Throws when it may not be paid for now. Asked before an offer is made, and in the transaction that takes a payment,
   * where it may lock; never about a payment that was taken before.
   */
  check?: ((tx: Queryable) => Promise<void>) | undefined
  /** For what begins with its payment: makes it in the transaction that takes the payment, in place of `check` there. */
  open?: ((tx: Transaction) => Promise<void>) | undefined
}

export type PaymentOutcome =
  | { outcome: 'settled'; payer: string; amountMicro: bigint; txHash: string }
  | { outcome: 'rejected'; payer: string; reason: string }
  /**
   * Not known yet. It is being looked into, and nothing is to be paid again meanwhile. `sentTxHash` is the transaction that
   * was signed for it, where one was.
   */
  | { outcome: 'unknown'; payer: string; amountMicro: bigint; sentTxHash?: string | undefined }

/** What a call asks to be paid for. */
export interface PaidThing extends Pick<PaymentOrder, 'purpose' | 'reference' | 'check' | 'open'> {
  payTo: string
  amountMicro: bigint
  /** One line for the payer. */
  description: string
  /** What catalogues show of it. Its URL is that of the call unless it is given. */
  listing?: { url?: string; serviceName?: string; tags?: string[] } | undefined
  /** Extensions of the x402 protocol, by name. */
  extensions?: Record<string, unknown> | undefined
}

export type PaidOutcome = Exclude<PaymentOutcome, { outcome: 'rejected' }>

/** A call in the form of x402's HTTP transport. What comes by another transport is brought into it. */
export interface PaidCall {
  request: { url: string; headers: Record<string, unknown> }
  reply: { header(name: string, value: string): unknown; removeHeader(name: string): unknown }
  requestId: string
  principal?: { ownerId: string; budget?: Principal['budget'] } | undefined
}

export interface Settlement {
  payer: string
  network: string
  txHash: string
}

/** The x402 side of paid calls. */
export interface PaidCalls {
  /** The payment that a call carries, if it does. One that makes no sense is a 400. */
  readPayment(call: Pick<PaidCall, 'request'>): SentPayment | undefined
  /**
   * Gives back a settled payment, or one whose outcome is not known yet, for a 202 response. In every other case
   * it throws: the 402 with its offer, or the 400 for a header that makes no sense. A payment that is settled or under
   * way for this thing is never requested again, with or without a header.
   */
  requirePayment(call: PaidCall, thing: PaidThing): Promise<PaidOutcome>
  /** The payment that is settled or under way for this, returned to the caller as well once it is settled, with extensions. */
  findPayment(
    call: Pick<PaidCall, 'request' | 'reply'>,
    thing: Pick<PaidThing, 'purpose' | 'reference'>,
    extensionsOf?: (settled: Settlement) => Record<string, unknown>,
  ): Promise<PaidOutcome | undefined>
  /** Whether a payment that is not used yet was signed by its payer, whatever it is for. A payer without money left counts. */
  isFromPayer(given: ReadPayment): Promise<boolean>
}
