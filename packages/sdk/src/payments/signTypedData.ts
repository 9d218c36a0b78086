import type { TypedData } from '@agent-marketplace/contract'
import { getAddress, type Hex } from 'viem'
import type { Signer } from '../signer.ts'

/** Signs typed data as the service hands it out. The domain's own type is left to the wallet, which derives it. */
export function signTypedData(account: Signer, typedData: TypedData): Promise<Hex> {
  const { domain, primaryType, message } = typedData
  const { EIP712Domain: _derived, ...types } = typedData.types
  const verifyingContract = getAddress(domain.verifyingContract)
  return account.signTypedData({ domain: { ...domain, verifyingContract }, types, primaryType, message })
}
