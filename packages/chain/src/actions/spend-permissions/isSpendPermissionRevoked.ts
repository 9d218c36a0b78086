import type { Address, Client } from 'viem'
import { readContract } from 'viem/actions'
import { spendPermissionManagerAbi } from '../../abis.ts'
import type { SpendPermission } from '../../typed-data/buildSpendPermission.ts'

/** True once the account or the spender has revoked the permission: it can never be used again. */
export const isSpendPermissionRevoked = (
  client: Client,
  { manager, permission }: { manager: Address; permission: SpendPermission },
): Promise<boolean> =>
  readContract(client, {
    address: manager,
    abi: spendPermissionManagerAbi,
    functionName: 'isRevoked',
    args: [permission],
  })
