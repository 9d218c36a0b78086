import { type Address, encodeFunctionData, type Hex } from 'viem'
import { spendPermissionManagerAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'
import type { SpendPermission } from '../../typed-data/buildSpendPermission.ts'

/** Anyone: brings a signed permission on chain, deploying the account first where the signature is wrapped for that (ERC-6492). */
export const prepareApproveWithSignature = ({
  manager,
  permission,
  signature,
}: {
  manager: Address
  permission: SpendPermission
  signature: Hex
}): PreparedCall =>
  callTo(
    manager,
    encodeFunctionData({
      abi: spendPermissionManagerAbi,
      functionName: 'approveWithSignature',
      args: [permission, signature],
    }),
  )
