import { type Address, type Hex, hashTypedData, zeroAddress } from 'viem'
import type { PreparedCall } from '../preparedCall.ts'

const fields = [
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'data', type: 'bytes' },
  { name: 'operation', type: 'uint8' },
  { name: 'safeTxGas', type: 'uint256' },
  { name: 'baseGas', type: 'uint256' },
  { name: 'gasPrice', type: 'uint256' },
  { name: 'gasToken', type: 'address' },
  { name: 'refundReceiver', type: 'address' },
  { name: 'nonce', type: 'uint256' },
] as const

const PLAIN_CALL = 0

/** What a Safe's owners sign to have the Safe make one plain call, without a gas refund to anyone. */
export const buildSafeTransaction = ({
  chainId,
  safe,
  call,
  nonce,
}: {
  chainId: number
  safe: Address
  call: PreparedCall
  nonce: bigint
}) =>
  ({
    domain: { chainId, verifyingContract: safe },
    types: { SafeTx: fields },
    primaryType: 'SafeTx',
    message: {
      ...call,
      operation: PLAIN_CALL,
      safeTxGas: 0n,
      baseGas: 0n,
      gasPrice: 0n,
      gasToken: zeroAddress,
      refundReceiver: zeroAddress,
      nonce,
    },
  }) as const

export type SafeTransaction = ReturnType<typeof buildSafeTransaction>

/** The hash under which a Safe and its tools know the transaction. */
export const hashSafeTransaction = (transaction: SafeTransaction): Hex => hashTypedData(transaction)
