import { type Address, encodeFunctionData } from 'viem'
import { spendPermissionManagerAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'
import type { SpendPermission } from '../../typed-data/buildSpendPermission.ts'

/** The spender alone: pulls `amountMicro` from the account to itself, within what the running period still allows. */
export const prepareSpend = ({
  manager,
  permission,
  amountMicro,
}: {
  manager: Address
  permission: SpendPermission
  amountMicro: bigint
}): PreparedCall =>
  callTo(
    manager,
    encodeFunctionData({
      abi: spendPermissionManagerAbi,
      functionName: 'spend',
      args: [permission, amountMicro],
    }),
  )
