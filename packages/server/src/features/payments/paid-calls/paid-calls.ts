import { AppError, formatMicro } from '@agent-marketplace/contract'
import { encodePaymentRequiredHeader, encodePaymentResponseHeader } from '@x402/core/http'
import type { PaymentRequired } from '@x402/core/types'
import {
  type PaidCall,
  type PaidCalls,
  type PaidThing,
  type PaymentOutcome,
  type ReadPayment,
  SETTLEMENT_WAIT_MS,
} from '../../../house/payments.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Network, Offer, PaymentsPort } from '../../../ports/payments/port.ts'
import type { Payments } from '../settling/payments.ts'
import { buildOffer, mismatchOf, type OfferFacts } from './offers.ts'
import { challengeOfVersionOne, readPaymentHeader } from './payment-payload.ts'

/** What facilitators call a payer without enough money. */
const outOfMoney = new Set(['invalid_exact_evm_insufficient_balance', 'insufficient_funds'])
const PLAIN_SIGNATURE_LENGTH = 132

export interface PaidCallsDeps {
  db: Queryable
  payments: Pick<Payments, 'settle' | 'find'>
  verify: PaymentsPort['verify']
  offers: OfferFacts
  publicUrl: URL
  settlementWaitMs?: number
}

export function createPaidCalls(deps: PaidCallsDeps): PaidCalls {
  const { payments, publicUrl, settlementWaitMs: waitMs = SETTLEMENT_WAIT_MS } = deps

  return {
    readPayment: ({ request }) => readPaymentHeader(request.headers),

    async requirePayment(call, thing) {
      const given = readPaymentHeader(call.request.headers)
      const offer = buildOffer(deps.offers, thing)
      const outcome = given
        ? await settle(call, given, offer, thing)
        : await payments.find(thing.purpose, thing.reference, waitMs)
      if (outcome && outcome.outcome !== 'rejected') {
        if (outcome.outcome === 'settled') setSettledHeader(call, offer.network, outcome)
        return outcome
      }
      await thing.check?.(deps.db)
      if (outcome) setRejectedHeader(call, offer.network, outcome)
      const required = challengeOf(publicUrl, call, offer, thing, outcome?.reason)
      const header = encodePaymentRequiredHeader(required)
      call.reply.header('PAYMENT-REQUIRED', header)
      call.reply.header('Cache-Control', 'no-store')
      throw new AppError('PAYMENT_REQUIRED', {
        ...(outcome ? { message: `The payment was not accepted: ${outcome.reason}.` } : {}),
        details: { amount: offer.amount, payTo: offer.payTo, ...(outcome ? { reason: outcome.reason } : {}) },
        beside: challengeOfVersionOne(required, offer),
      })
    },

    async findPayment(call, { purpose, reference }, extensionsOf) {
      const paid = await payments.find(purpose, reference, waitMs)
      if (!paid || paid.outcome === 'rejected') return undefined
      call.reply.removeHeader(responseHeaderOf(call.request))
      const { network } = deps.offers
      if (paid.outcome === 'settled')
        setSettledHeader(call, network, paid, extensionsOf?.({ ...paid, network }))
      return paid
    },

    async isFromPayer({ payment }) {
      const verdict = await deps.verify(payment, buildOffer(deps.offers, payment))
      if (verdict.status === 'valid') return true
      // The balance is looked at after the signature, unless that brings a wallet of its own.
      return outOfMoney.has(verdict.reason) && payment.signature.length === PLAIN_SIGNATURE_LENGTH
    },
  }

  function settle(
    { requestId, principal }: PaidCall,
    { accepted, payment }: ReadPayment,
    offer: Offer,
    { purpose, reference, check, open }: PaidThing,
  ): Promise<PaymentOutcome> {
    const mismatch = mismatchOf(accepted, offer)
    const account = principal?.ownerId ?? payment.payer.toLowerCase()
    const chargedTo = { account, isGuest: principal === undefined }
    const order = { payment, offer, mismatch, purpose, reference, check, open, requestId, chargedTo, waitMs }
    return payments.settle(order)
  }
}

type Answered = Pick<PaidCall, 'request' | 'reply'>

function challengeOf(
  publicUrl: URL,
  { request }: Answered,
  offer: Offer,
  { description, listing, extensions }: PaidThing,
  error = 'PAYMENT-SIGNATURE header is required',
): PaymentRequired {
  const url = new URL(request.url, publicUrl).href
  return {
    x402Version: 2,
    error,
    resource: { url, description, mimeType: 'application/json', ...listing },
    accepts: [offer],
    ...(extensions && { extensions }),
  }
}

type Settled = Extract<PaymentOutcome, { outcome: 'settled' }>
type Rejected = Extract<PaymentOutcome, { outcome: 'rejected' }>

function setSettledHeader(
  { request, reply }: Answered,
  network: Network,
  { payer, amountMicro, txHash }: Settled,
  extensions?: Record<string, unknown>,
): void {
  const settlement = encodePaymentResponseHeader({
    success: true,
    payer,
    transaction: txHash,
    network,
    amount: formatMicro(amountMicro),
    ...(extensions && { extensions }),
  })
  reply.header(responseHeaderOf(request), settlement)
}

function setRejectedHeader(
  { request, reply }: Answered,
  network: Network,
  { payer, reason }: Rejected,
): void {
  const settlement = encodePaymentResponseHeader({
    success: false,
    errorReason: reason,
    payer,
    transaction: '',
    network,
  })
  reply.header(responseHeaderOf(request), settlement)
}

/** Clients of version 1 look for their own header. */
function responseHeaderOf(request: Answered['request']): string {
  return request.headers['x-payment'] === undefined ? 'PAYMENT-RESPONSE' : 'X-PAYMENT-RESPONSE'
}
