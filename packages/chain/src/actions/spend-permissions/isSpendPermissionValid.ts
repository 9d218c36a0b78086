import type { Address, Client } from 'viem'
import { readContract } from 'viem/actions'
import { spendPermissionManagerAbi } from '../../abis.ts'
import type { SpendPermission } from '../../typed-data/buildSpendPermission.ts'

/** True while the permission is approved and not revoked; says nothing of time or balance. */
export const isSpendPermissionValid = (
  client: Client,
  { manager, permission }: { manager: Address; permission: SpendPermission },
): Promise<boolean> =>
  readContract(client, {
    address: manager,
    abi: spendPermissionManagerAbi,
    functionName: 'isValid',
    args: [permission],
  })
