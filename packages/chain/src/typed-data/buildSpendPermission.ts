import type { Address, Hex } from 'viem'

/** Coinbase's SpendPermission. `period`, `start` and `end` are in seconds; the allowance renews each period and never accrues. */
export type SpendPermission = {
  account: Address
  spender: Address
  token: Address
  allowance: bigint
  period: number
  start: number
  end: number
  salt: bigint
  extraData: Hex
}

const fields = [
  { name: 'account', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'token', type: 'address' },
  { name: 'allowance', type: 'uint160' },
  { name: 'period', type: 'uint48' },
  { name: 'start', type: 'uint48' },
  { name: 'end', type: 'uint48' },
  { name: 'salt', type: 'uint256' },
  { name: 'extraData', type: 'bytes' },
] as const

export const buildSpendPermission = ({
  chainId,
  manager,
  permission,
}: {
  chainId: number
  manager: Address
  permission: SpendPermission
}) =>
  ({
    domain: { name: 'Spend Permission Manager', version: '1', chainId, verifyingContract: manager },
    types: { SpendPermission: fields },
    primaryType: 'SpendPermission',
    message: permission,
  }) as const
