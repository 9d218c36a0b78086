import { formatMicro } from '@agent-marketplace/contract'
import type { AcceptedOffer } from '../../../house/payments.ts'
import type { Network, Offer } from '../../../ports/payments/port.ts'

export interface OfferFacts {
  network: Network
  usdc: { address: string; name: string; version: string }
  /** How long a signed payment stays valid, in seconds by the payer's own clock. */
  timeoutSeconds: () => number
}

/** What a payer is to sign. The same call makes the same offer each time, so that an accepted one can be compared. */
export function buildOffer(
  { network, usdc, timeoutSeconds }: OfferFacts,
  { payTo, amountMicro }: { payTo: string; amountMicro: bigint },
): Offer {
  return {
    scheme: 'exact',
    network,
    amount: formatMicro(amountMicro),
    asset: usdc.address,
    payTo,
    maxTimeoutSeconds: timeoutSeconds(),
    extra: { name: usdc.name, version: usdc.version, paymentFlow: 'upfront' },
  }
}

const same = (given: string | undefined, expected: string) =>
  given === undefined || given.toLowerCase() === expected.toLowerCase()

/** Why an accepted offer is not the current one; undefined when it is. The time limit is for the chain to judge. */
export function mismatchOf(accepted: AcceptedOffer, offer: Offer): string | undefined {
  if (accepted.scheme !== offer.scheme) return 'unsupported_scheme'
  if (accepted.network !== offer.network) return 'invalid_network'
  if (!same(accepted.asset, offer.asset)) return 'invalid_payment_requirements'
  if (!same(accepted.payTo, offer.payTo)) return 'invalid_exact_evm_recipient_mismatch'
  if (!same(accepted.amount, offer.amount)) return 'invalid_exact_evm_payload_authorization_value_mismatch'
  return undefined
}
