import { authorizationFields } from '@agent-marketplace/contract'
import type { Address, Hex } from 'viem'

export type TransferAuthorization = {
  from: Address
  to: Address
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
}

interface Authorized {
  token: UsdcToken
  authorization: TransferAuthorization
}

export type UsdcToken = { address: Address; name: string; version: string; chainId: number }

/** EIP-3009 TransferWithAuthorization: anyone may carry the transfer out. */
export const buildTransferAuthorization = ({ token, authorization }: Authorized) =>
  ({
    domain: domainOf(token),
    types: { TransferWithAuthorization: authorizationFields },
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  }) as const

/** EIP-3009 ReceiveWithAuthorization: only the payee itself may carry the transfer out. */
export const receiveTypedData = ({ token, authorization }: Authorized) =>
  ({
    domain: domainOf(token),
    types: { ReceiveWithAuthorization: authorizationFields },
    primaryType: 'ReceiveWithAuthorization',
    message: authorization,
  }) as const

const domainOf = ({ address, name, version, chainId }: UsdcToken) => ({
  name,
  version,
  chainId,
  verifyingContract: address,
})
