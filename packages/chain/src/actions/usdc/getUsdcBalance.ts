import type { Address, Client } from 'viem'
import { readContract } from 'viem/actions'
import { usdcAbi } from '../../abis.ts'

export const getUsdcBalance = (
  client: Client,
  { usdc, owner, blockNumber }: { usdc: Address; owner: Address; blockNumber?: bigint },
): Promise<bigint> =>
  readContract(client, {
    address: usdc,
    abi: usdcAbi,
    functionName: 'balanceOf',
    args: [owner],
    blockNumber,
  })
