import type { GivenRequirements } from '@agent-marketplace/contract'
import { networkNameOf, networkOf } from '../../house/x402-networks.ts'
import type { Network, Offer, SupportedPayments } from '../../ports/payments/port.ts'

/** Sellers elsewhere make their own offers; this is the longest that any payment is followed. */
const LONGEST_TIMEOUT_SECONDS = 3600

type Kind = SupportedPayments['kinds'][number]

/** Of what the port can do, what is served here. Payments of version 1 are taken wherever it has a name for the network. */
export function kindsServed(kinds: readonly Kind[], network: Network): Kind[] {
  const name = networkNameOf(network)
  return kinds
    .filter((kind) => kind.x402Version === 2 && kind.scheme === 'exact' && kind.network === network)
    .flatMap((kind) => (name === undefined ? [kind] : [kind, { ...kind, x402Version: 1, network: name }]))
}

/** Given requirements in the words of version 2. Of `extra` the payee has to name only what differs from ours. */
export function offerIn(
  { maxAmountRequired, amount = maxAmountRequired ?? '', extra, ...given }: GivenRequirements,
  ours: Offer,
): Omit<Offer, 'network'> & { network: string } {
  const longest = Math.max(ours.maxTimeoutSeconds, LONGEST_TIMEOUT_SECONDS)
  return {
    ...given,
    network: networkOf(given.network),
    amount,
    maxTimeoutSeconds: Math.min(given.maxTimeoutSeconds, longest),
    extra: { ...ours.extra, ...extra },
  }
}

/** Name and version of the token are part of what is signed: with others no signature fits. */
export function tokenMismatchOf(
  { extra }: Pick<Offer, 'extra'>,
  ours: Pick<Offer, 'extra'>,
): string | undefined {
  if (extra.name !== ours.extra.name) return 'invalid_exact_evm_token_name_mismatch'
  if (extra.version !== ours.extra.version) return 'invalid_exact_evm_token_version_mismatch'
  return undefined
}

/** The network as the caller names it, where it is ours. */
export const namedNetwork = (given: string, ours: Network): string =>
  networkOf(given) === ours ? given : ours
