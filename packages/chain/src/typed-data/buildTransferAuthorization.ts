import type { Address, Hex } from 'viem'

export type TransferAuthorization = {
  from: Address
  to: Address
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
}

const fields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

export type UsdcToken = { address: Address; name: string; version: string; chainId: number }

/** EIP-3009 TransferWithAuthorization: anyone may carry the transfer out. */
export const buildTransferAuthorization = ({
  token,
  authorization,
}: {
  token: UsdcToken
  authorization: TransferAuthorization
}) =>
  ({
    domain: domainOf(token),
    types: { TransferWithAuthorization: fields },
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  }) as const

/** EIP-3009 ReceiveWithAuthorization: only the payee itself may carry the transfer out. */
export const receiveTypedData = ({
  token,
  authorization,
}: {
  token: UsdcToken
  authorization: TransferAuthorization
}) =>
  ({
    domain: domainOf(token),
    types: { ReceiveWithAuthorization: fields },
    primaryType: 'ReceiveWithAuthorization',
    message: authorization,
  }) as const

const domainOf = ({ address, name, version, chainId }: UsdcToken) => ({
  name,
  version,
  chainId,
  verifyingContract: address,
})
