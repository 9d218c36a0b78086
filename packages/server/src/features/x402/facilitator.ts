import type { PaymentRequirements } from '@agent-marketplace/contract'
import type { Offer, PaymentsPort } from '../../ports/payments/port.ts'
import type { AgentOf } from './agent-of.ts'
import type { PaymentPurpose } from './conclusion.ts'
import { buildOffer, mismatchOf, type OfferFacts } from './offers.ts'
import { type ReadPayment, readPayload } from './payment-payload.ts'
import type { Payments } from './payments.ts'

const PURPOSE = 'facilitator'

/** Settlements for others have no effect here beyond the transfer itself; one to an agent's wallet is its earning. */
export function facilitatorPurpose(agentOf: AgentOf): PaymentPurpose {
  return {
    name: PURPOSE,
    journalKind: 'x402',
    async journalReference(tx, { payTo }) {
      const agent = await agentOf(tx, payTo)
      return agent ? { agentId: agent.id, ownerId: agent.ownerId } : {}
    },
  }
}

/** Stock clients give up after 90 s, and take a pending settlement for an answer. */
const SETTLE_WAIT_MS = 20_000

/** Sellers elsewhere make offers of their own; this is as long as any payment is kept an eye on. */
const LONGEST_TIMEOUT_SECONDS = 3600

export interface FacilitatorDeps {
  port: Pick<PaymentsPort, 'supported' | 'verify'>
  payments: Pick<Payments, 'settle'>
  offers: OfferFacts
  settlementWaitMs?: number
}

interface FacilitatorRequest {
  paymentPayload: unknown
  paymentRequirements: PaymentRequirements
}

type Order = ReadPayment & { offer: Offer }

/** The facilitator for everyone: it settles exact payments in the one token, on the one chain, that the service runs on. */
export function createFacilitator({
  port,
  payments,
  offers,
  settlementWaitMs = SETTLE_WAIT_MS,
}: FacilitatorDeps) {
  function read({ paymentPayload, paymentRequirements }: FacilitatorRequest): Order | { reason: string } {
    const given = readPayload(paymentPayload)
    if (!given) return { reason: 'invalid_payload' }
    const ours = buildOffer(offers, { payTo: paymentRequirements.payTo, amountMicro: 0n })
    const longest = Math.max(ours.maxTimeoutSeconds, LONGEST_TIMEOUT_SECONDS)
    const offer: Offer = {
      ...paymentRequirements,
      network: ours.network,
      maxTimeoutSeconds: Math.min(paymentRequirements.maxTimeoutSeconds, longest),
    }
    const reason =
      mismatchOf(paymentRequirements, { ...ours, amount: offer.amount }) ?? mismatchOf(given.accepted, offer)
    if (reason) return { reason }
    if (!/^[1-9][0-9]{0,14}$/.test(offer.amount)) return { reason: 'invalid_payment_requirements' }
    return { ...given, offer }
  }

  return {
    supported: () => port.supported(),

    async verify(request: FacilitatorRequest) {
      const order = read(request)
      if ('reason' in order) return { isValid: false, invalidReason: order.reason }
      const { payer } = order.payment
      const verdict = await port.verify(order.payment, order.offer)
      if (verdict.status === 'valid') return { isValid: true, payer }
      return { isValid: false, invalidReason: verdict.reason, payer }
    },

    async settle(request: FacilitatorRequest, requestId: string) {
      const { network } = offers
      const order = read(request)
      if ('reason' in order) return { success: false, errorReason: order.reason, transaction: '', network }
      const outcome = await payments.settle({
        ...order,
        purpose: PURPOSE,
        reference: `${order.payment.payer}:${order.payment.nonce}`.toLowerCase(),
        requestId,
        waitMs: settlementWaitMs,
      })
      const { payer } = outcome
      switch (outcome.outcome) {
        case 'settled':
          return { success: true, payer, transaction: outcome.txHash, network, amount: order.offer.amount }
        case 'rejected':
          return { success: false, errorReason: outcome.reason, payer, transaction: '', network }
        case 'unknown':
          return { success: false, errorReason: 'settlement_pending', payer, transaction: '', network }
      }
    },
  }
}

export type Facilitator = ReturnType<typeof createFacilitator>
