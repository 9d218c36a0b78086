import type { Address, Client } from 'viem'
import { multicall } from 'viem/actions'
import { safeAbi } from '../../abis.ts'

export type SafeState = { owners: readonly Address[]; threshold: number; nonce: bigint }

export const getSafeState = async (client: Client, { safe }: { safe: Address }): Promise<SafeState> => {
  const contract = { address: safe, abi: safeAbi } as const
  const [owners, threshold, nonce] = await multicall(client, {
    contracts: [
      { ...contract, functionName: 'getOwners' },
      { ...contract, functionName: 'getThreshold' },
      { ...contract, functionName: 'nonce' },
    ],
    allowFailure: false,
  })
  return { owners, threshold: Number(threshold), nonce }
}
