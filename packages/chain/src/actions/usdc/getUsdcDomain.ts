import type { Address, Client } from 'viem'
import { multicall } from 'viem/actions'
import { usdcAbi } from '../../abis.ts'

/** The token's own EIP-712 name and version, which differ between chains: read them once at start, never assume them. */
export type UsdcDomain = { name: string; version: string; decimals: number }

export const getUsdcDomain = async (client: Client, { usdc }: { usdc: Address }): Promise<UsdcDomain> => {
  const contract = { address: usdc, abi: usdcAbi } as const
  const [name, version, decimals] = await multicall(client, {
    contracts: [
      { ...contract, functionName: 'name' },
      { ...contract, functionName: 'version' },
      { ...contract, functionName: 'decimals' },
    ],
    allowFailure: false,
  })
  return { name, version, decimals }
}
