import type { Address, Client } from 'viem'
import { readContract } from 'viem/actions'
import { smartWalletAbi } from '../../abis.ts'

/** True when the deployed smart wallet counts the manager among its owners, without which no spend can work. */
export const isManagerOwner = (
  client: Client,
  { account, manager }: { account: Address; manager: Address },
): Promise<boolean> =>
  readContract(client, {
    address: account,
    abi: smartWalletAbi,
    functionName: 'isOwnerAddress',
    args: [manager],
  })
