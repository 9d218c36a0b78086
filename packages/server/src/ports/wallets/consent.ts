import { addressesOf, buildAgentWalletSet, checksumAddress } from '@agent-marketplace/chain'
import type { RegistryConsent, TokenDomain } from './port.ts'

/** The identity registry of the token's chain: the only one whose entries a wallet agrees to. */
export const registryOf = ({ chainId }: Pick<TokenDomain, 'chainId'>): `0x${string}` =>
  addressesOf(chainId).agentRegistry

/** What a wallet signs to be named in the registry. The wallet is its own, the registry and the types are written here. */
export function consentTypedData(
  { chainId }: Pick<TokenDomain, 'chainId'>,
  wallet: string,
  { onChainAgentId, owner, deadline }: RegistryConsent,
) {
  return buildAgentWalletSet({
    chainId,
    registry: registryOf({ chainId }),
    agentId: onChainAgentId,
    newWallet: checksumAddress(wallet),
    owner: checksumAddress(owner),
    deadline,
  })
}
