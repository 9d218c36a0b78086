import { IntentRejected } from '../../../money/intents/intents.ts'
import type { EscrowCalls, Hex, PreparedCall } from '../../../ports/chain/port.ts'
import type { EscrowEffect } from '../lifecycle/moves/transitions.ts'
import type { EscrowOrder } from '../lifecycle/orders.ts'

/** What an order says to the escrow: as sent by the operator, or by the party itself. */
export function callOf(escrow: EscrowCalls, effect: EscrowEffect, order: EscrowOrder): PreparedCall {
  const key = asHex(order.key)
  const party = () => required(order, 'onBehalfOf')
  const sellerBps = () => required(order, 'sellerBps')
  switch (effect) {
    case 'escrow.deposit': {
      const { terms, validAfter, validBefore, signature } = required(order, 'deposit')
      return escrow.depositWithAuthorization({
        terms: {
          jobRef: asHex(terms.jobRef),
          client: asHex(terms.client),
          seller: asHex(terms.seller),
          agentWallet: asHex(terms.agentWallet),
          amountMicro: BigInt(terms.amount),
          deadline: terms.deadline,
        },
        validAfter: BigInt(validAfter),
        validBefore: BigInt(validBefore),
        signature: asHex(signature),
      })
    }
    case 'escrow.submit':
      return escrow.submit({ key, deliveryHash: asHex(required(order, 'deliveryHash')) })
    case 'escrow.requestChanges':
      return escrow.requestChanges({ key })
    case 'escrow.release':
      return escrow.release({ key })
    case 'escrow.refund':
      return escrow.refund({ key })
    case 'escrow.claimMissedDeadline':
      return escrow.claimMissedDeadline({ key })
    case 'escrow.openDispute':
      return escrow.openDispute({ key, onBehalfOf: party() })
    case 'escrow.proposeSettlement':
      return escrow.proposeSettlement({ key, onBehalfOf: party(), sellerBps: sellerBps() })
    case 'escrow.acceptSettlement':
      return escrow.acceptSettlement({ key, onBehalfOf: party(), sellerBps: sellerBps() })
    case 'escrow.refundUndecided':
      return escrow.refundUndecided({ key })
  }
}

/** The schema has checked that it is hex. */
const asHex = (text: string): Hex => `0x${text.slice(2)}`

function required<Name extends keyof EscrowOrder>(
  order: EscrowOrder,
  name: Name,
): NonNullable<EscrowOrder[Name]> {
  const value = order[name]
  if (value === undefined) throw new IntentRejected(`the order says nothing of ${name}`)
  return value
}
