import { spendPermissionFields } from '@agent-marketplace/contract'
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
    types: { SpendPermission: spendPermissionFields },
    primaryType: 'SpendPermission',
    message: permission,
  }) as const
