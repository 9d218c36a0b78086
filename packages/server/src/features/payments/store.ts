import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Hex, Offer, Payment } from '../../ports/payments/port.ts'

export type PaymentStatus = 'PENDING' | 'SETTLED' | 'REJECTED'

export interface PaymentRow {
  id: string
  chainId: number
  token: Hex
  payer: Hex
  nonce: Hex
  payTo: Hex
  amountMicro: bigint
  validAfter: bigint
  validBefore: bigint
  signature: Hex
  offer: Offer
  purpose: string
  reference: string
  status: PaymentStatus
  reason: string | null
  txHash: Hex | null
  sinceBlock: bigint
  lookUpAt: Date | null
  requestId: string | null
  createdAt: Date
}

/** What identifies an authorization. Addresses and nonce compare without case. */
export interface AuthorizationKey {
  chainId: number
  token: string
  payer: string
  nonce: string
}

export interface NewPayment {
  id: string
  key: AuthorizationKey
  payment: Payment
  offer: Offer
  purpose: string
  reference: string
  sinceBlock: bigint
  requestId: string | null
  now: Date
}

const columns = sql`
  id, chain_id, token, payer, nonce, pay_to, amount_micro, valid_after, valid_before, signature, offer, purpose,
  reference, status, reason, tx_hash, since_block, look_up_at, request_id, created_at`

export function paymentOf(row: PaymentRow): Payment {
  return {
    payer: row.payer,
    payTo: row.payTo,
    amountMicro: row.amountMicro,
    validAfter: row.validAfter,
    validBefore: row.validBefore,
    nonce: row.nonce,
    signature: row.signature,
  }
}

/** Undefined when the authorization, or what it is for, has a live payment already. */
export function insertPayment(db: Queryable, given: NewPayment): Promise<PaymentRow | undefined> {
  const { key, payment } = given
  return db.maybeOne(sql`
    insert into x402_payments (id, chain_id, token, payer, nonce, pay_to, amount_micro, valid_after, valid_before,
      signature, offer, purpose, reference, since_block, request_id, created_at)
    values (${given.id}, ${key.chainId}, ${key.token.toLowerCase()}, ${key.payer.toLowerCase()},
      ${key.nonce.toLowerCase()}, ${payment.payTo.toLowerCase()}, ${payment.amountMicro}, ${payment.validAfter},
      ${payment.validBefore}, ${payment.signature}, ${sql.json(given.offer)}, ${given.purpose}, ${given.reference},
      ${given.sinceBlock}, ${given.requestId}, ${given.now})
    on conflict do nothing
    returning ${columns}`)
}

export function findPayment(db: Queryable, id: string): Promise<PaymentRow> {
  return db.one(sql`select ${columns} from x402_payments where id = ${id}`)
}

export function findByAuthorization(db: Queryable, key: AuthorizationKey): Promise<PaymentRow | undefined> {
  return db.maybeOne(sql`
    select ${columns} from x402_payments
    where chain_id = ${key.chainId} and token = ${key.token.toLowerCase()}
      and payer = ${key.payer.toLowerCase()} and nonce = ${key.nonce.toLowerCase()}`)
}

export function findLivePayment(
  db: Queryable,
  purpose: string,
  reference: string,
): Promise<PaymentRow | undefined> {
  return db.maybeOne(sql`
    select ${columns} from x402_payments
    where purpose = ${purpose} and reference = ${reference} and status <> 'REJECTED'`)
}

/** Undefined when somebody else concluded it first: an outcome is written once. */
export function saveSettled(
  db: Queryable,
  id: string,
  txHash: string,
  now: Date,
): Promise<PaymentRow | undefined> {
  return db.maybeOne(sql`
    update x402_payments
    set status = 'SETTLED', tx_hash = ${txHash.toLowerCase()}, reason = null, look_up_at = null, concluded_at = ${now}
    where id = ${id} and status = 'PENDING'
    returning ${columns}`)
}

export function saveRejected(
  db: Queryable,
  id: string,
  reason: string,
  now: Date,
): Promise<PaymentRow | undefined> {
  return db.maybeOne(sql`
    update x402_payments set status = 'REJECTED', reason = ${reason}, look_up_at = null, concluded_at = ${now}
    where id = ${id} and status = 'PENDING'
    returning ${columns}`)
}

/** The settled payment that a transfer was; there may be none. */
export function findSettledBy(
  db: Queryable,
  transfer: { chainId: number; txHash: string; from: string; to: string; amountMicro: bigint },
): Promise<PaymentRow | undefined> {
  return db.maybeOne(sql`
    select ${columns} from x402_payments
    where chain_id = ${transfer.chainId} and tx_hash = ${transfer.txHash} and status = 'SETTLED'
      and payer = ${transfer.from.toLowerCase()} and pay_to = ${transfer.to.toLowerCase()}
      and amount_micro = ${transfer.amountMicro}
    for update limit 1`)
}

/** A reorganisation took the outcome back. */
export function savePendingAgain(db: Queryable, id: string): Promise<PaymentRow> {
  return db.one(sql`
    update x402_payments
    set status = 'PENDING', tx_hash = null, reason = null, look_up_at = null, concluded_at = null
    where id = ${id}
    returning ${columns}`)
}

/** The chain is to be asked; `reason` is what counts against the payment if it knows nothing. */
export function saveLookUp(db: Queryable, id: string, at: Date, reason: string | null): Promise<number> {
  return db.run(sql`
    update x402_payments set look_up_at = ${at}, reason = ${reason} where id = ${id} and status = 'PENDING'`)
}

/** Claims the payment whose outcome has been due for a look-up longest, and keeps other workers off it until `until`. */
export function claimLookUp(
  db: Queryable,
  { dueBy, until }: { dueBy: Date; until: Date },
): Promise<PaymentRow | undefined> {
  return db.maybeOne(sql`
    update x402_payments set look_up_at = ${until}
    where id = (
      select id from x402_payments where status = 'PENDING' and look_up_at <= ${dueBy}
      order by look_up_at limit 1 for update skip locked)
    returning ${columns}`)
}

export function announceConclusion(db: Queryable, id: string): Promise<number> {
  return db.run(sql`select pg_notify('x402_payment_concluded', ${id})`)
}
