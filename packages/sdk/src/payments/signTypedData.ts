import type { TypedData } from '@agent-marketplace/contract'
import type { Hex } from 'viem'
import { asAddress } from '../addresses.ts'
import type { Core } from '../core.ts'
import type { SignableData, Signer, SigningRequest } from '../signer.ts'

type PaymentKind = Exclude<SigningRequest['kind'], 'signIn'>

/**
 * Signs typed data that was checked, after the caller has seen it. The domain's own type is left to the wallet, which
 * derives it.
 */
export async function signTypedData(
  { onSign }: Pick<Core, 'onSign'>,
  account: Signer,
  kind: PaymentKind,
  { domain, types: given, primaryType, message }: TypedData,
): Promise<Hex> {
  const { EIP712Domain: _derived, ...types } = given
  const verifyingContract = asAddress(domain.verifyingContract)
  const typedData: SignableData = { domain: { ...domain, verifyingContract }, types, primaryType, message }
  await onSign({ kind, typedData })
  return account.signTypedData(typedData)
}
