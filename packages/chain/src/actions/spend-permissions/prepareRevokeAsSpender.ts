import { type Address, encodeFunctionData } from 'viem'
import { spendPermissionManagerAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'
import type { SpendPermission } from '../../typed-data/buildSpendPermission.ts'

/** The spender alone: gives the permission up for good, without a signature of the account. */
export const prepareRevokeAsSpender = ({
  manager,
  permission,
}: {
  manager: Address
  permission: SpendPermission
}): PreparedCall =>
  callTo(
    manager,
    encodeFunctionData({
      abi: spendPermissionManagerAbi,
      functionName: 'revokeAsSpender',
      args: [permission],
    }),
  )
