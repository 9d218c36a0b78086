import type { Address, Client, Hex } from 'viem'
import { readContract } from 'viem/actions'
import { spendPermissionManagerAbi } from '../../abis.ts'
import type { SpendPermission } from '../../typed-data/buildSpendPermission.ts'

/** The permission's identity on chain: its EIP-712 hash. */
export const getSpendPermissionHash = (
  client: Client,
  { manager, permission }: { manager: Address; permission: SpendPermission },
): Promise<Hex> =>
  readContract(client, {
    address: manager,
    abi: spendPermissionManagerAbi,
    functionName: 'getHash',
    args: [permission],
  })
