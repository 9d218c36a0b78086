import { formatUsdc, type GivenRequirements, parseMicro } from '@agent-marketplace/contract'
import type { AgentOf } from '../../house/agents.ts'
import {
  type AcceptedOffer,
  LEAST_SETTLED_MICRO,
  type PaymentOrder,
  type PaymentOutcome,
  type PaymentPurpose,
  type ReadPayment,
  SETTLEMENT_WAIT_MS,
} from '../../house/payments.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Offer, PaymentsPort } from '../../ports/payments/port.ts'
import type { DiscoveryDeps, PayablePages } from './discovery.ts'
import { EXTENSIONS, respondToExtensions } from './extensions.ts'
import { kindsServed, namedNetwork, offerIn, tokenMismatchOf } from './rules.ts'

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

export interface FacilitatorDeps {
  db: Queryable
  catalogue: Pick<DiscoveryDeps, 'publicUrl'> & Pick<PayablePages, 'listPayable'>
  agentOf: AgentOf
  treasury: () => Promise<string>
  port: Pick<PaymentsPort, 'network' | 'supported' | 'verify'>
  payments: {
    settle: (order: PaymentOrder) => Promise<PaymentOutcome>
    /** Undefined when it is no x402 payment by EIP-3009 authorization. */
    readPayload: (value: unknown) => ReadPayment | undefined
    offerFor: (terms: { payTo: string; amountMicro: bigint }) => Offer
    /** Why an accepted offer is not the current one; undefined when it is. */
    mismatchOf: (accepted: AcceptedOffer, offer: Offer) => string | undefined
  }
  settlementWaitMs?: number
}

const refusals = {
  payer_is_payee: 'A payment to oneself moves nothing.',
  amount_below_minimum: `The least amount that is settled here is ${formatUsdc(LEAST_SETTLED_MICRO)} USDC.`,
  payee_not_served: 'Only payments to an agent of this marketplace, or to its treasury, are settled here.',
}
type Refusal = keyof typeof refusals

export interface FacilitatorRequest {
  paymentPayload: unknown
  paymentRequirements: GivenRequirements
}

type Order = ReadPayment & { offer: Offer }

/**
 * The facilitator of the marketplace: it settles exact payments to its agents and its treasury, in the one token, on the
 * one chain, that the service runs on.
 */
export function createFacilitator(deps: FacilitatorDeps) {
  const { port, payments, settlementWaitMs = SETTLEMENT_WAIT_MS } = deps
  const { readPayload, offerFor, mismatchOf } = payments

  /** Why the service pays no gas for this payment, even if it is valid; undefined when it does. */
  async function refusalOf({ payment: { payer, payTo }, offer }: Order): Promise<Refusal | undefined> {
    const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
    if (isSame(payer, payTo)) return 'payer_is_payee'
    if (parseMicro(offer.amount) < LEAST_SETTLED_MICRO) return 'amount_below_minimum'
    if (isSame(payTo, await deps.treasury()) || (await deps.agentOf(deps.db, payTo))) return undefined
    return 'payee_not_served'
  }

  function read({ paymentPayload, paymentRequirements }: FacilitatorRequest): Order | { reason: string } {
    const given = readPayload(paymentPayload)
    if (!given) return { reason: 'invalid_payload' }
    const ours = offerFor({ payTo: paymentRequirements.payTo, amountMicro: 0n })
    const asked = offerIn(paymentRequirements, ours)
    const offer: Offer = { ...asked, network: ours.network }
    if (!/^[1-9][0-9]{0,14}$/.test(offer.amount)) return { reason: 'invalid_payment_requirements' }
    const reason =
      mismatchOf(asked, { ...ours, amount: offer.amount }) ??
      tokenMismatchOf(offer, ours) ??
      mismatchOf(given.accepted, offer)
    if (reason) return { reason }
    return { ...given, offer }
  }

  return {
    async supported() {
      const { kinds, signers } = await port.supported()
      return { kinds: kindsServed(kinds, port.network), extensions: [...EXTENSIONS], signers }
    },

    respondToExtensions: ({ paymentPayload, paymentRequirements: { payTo } }: FacilitatorRequest) =>
      respondToExtensions(deps.catalogue, paymentPayload, payTo),

    async verify(request: FacilitatorRequest) {
      const order = read(request)
      if ('reason' in order) return { isValid: false, invalidReason: order.reason }
      const { payer } = order.payment
      const refusal = await refusalOf(order)
      if (refusal) {
        return { isValid: false, invalidReason: refusal, invalidMessage: refusals[refusal], payer }
      }
      const verdict = await port.verify(order.payment, order.offer)
      if (verdict.status === 'valid') return { isValid: true, payer }
      return { isValid: false, invalidReason: verdict.reason, payer }
    },

    async settle(
      request: FacilitatorRequest,
      { requestId, ownerId }: { requestId: string; ownerId: string },
    ) {
      const network = namedNetwork(request.paymentRequirements.network, port.network)
      const order = read(request)
      if ('reason' in order) return { success: false, errorReason: order.reason, transaction: '', network }
      const refusal = await refusalOf(order)
      if (refusal) {
        const { payer } = order.payment
        const errorMessage = refusals[refusal]
        return { success: false, errorReason: refusal, errorMessage, payer, transaction: '', network }
      }
      const outcome = await payments.settle({
        ...order,
        purpose: PURPOSE,
        reference: `${order.payment.payer}:${order.payment.nonce}`.toLowerCase(),
        requestId,
        chargedTo: { account: ownerId, isGuest: false },
        waitMs: settlementWaitMs,
      })
      const { payer } = outcome
      switch (outcome.outcome) {
        case 'settled':
          return { success: true, payer, transaction: outcome.txHash, network, amount: order.offer.amount }
        case 'rejected':
          return { success: false, errorReason: outcome.reason, payer, transaction: '', network }
        case 'unknown': {
          // Stock servers ask once more where they are given a transaction.
          const transaction = outcome.sentTxHash ?? ''
          return { success: false, errorReason: 'settlement_pending', payer, transaction, network }
        }
      }
    },
  }
}

export type Facilitator = ReturnType<typeof createFacilitator>
