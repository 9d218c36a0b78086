import { queryOptions } from '@tanstack/react-query'
import { callRpc } from '../../transactions/rpc.ts'
import { type PlatformConfig, rpcUrlOf } from '../platform/platform-config.ts'

/** `balanceOf(address)` of ERC-20: four bytes of selector and the address in a word. */
const BALANCE_OF = '0x70a08231'

/** The USDC of a wallet in micro-units, asked of the chain itself. */
export const balanceQuery = (config: PlatformConfig | undefined, address: string | undefined) =>
  queryOptions({
    queryKey: ['balance', address?.toLowerCase()],
    queryFn: async ({ signal }): Promise<bigint> => {
      if (!config || !address) throw new Error('no chain or no wallet to ask about')
      const data = BALANCE_OF + address.slice(2).toLowerCase().padStart(64, '0')
      const response = await callRpc(
        rpcUrlOf(config),
        'eth_call',
        [{ to: config.usdc.address, data }, 'latest'],
        signal,
      )
      return BigInt(String(response))
    },
    enabled: config !== undefined && address !== undefined,
    staleTime: 10_000,
    refetchInterval: 30_000,
    retry: false,
  })
