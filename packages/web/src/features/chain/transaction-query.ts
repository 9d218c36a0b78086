import { queryOptions } from '@tanstack/react-query'
import { loadCode } from '../../data/connection/load-code.ts'
import { type PlatformConfig, rpcUrlOf } from '../../data/platform/platform-config.ts'
import type { ChainTransaction } from './read-transaction.ts'

const LOOK_AGAIN_MS = 3_000
const hashPattern = /^0x[a-fA-F0-9]{64}$/

/** Asked of the chain until it is final; after that it cannot change. The chain library comes with the first question. */
export const transactionQuery = (config: PlatformConfig | undefined, hash: string) =>
  queryOptions({
    queryKey: ['chain', 'transaction', hash.toLowerCase()],
    queryFn: async (): Promise<ChainTransaction | null> => {
      if (!config || !hashPattern.test(hash)) return null
      const { readTransaction } = await loadCode(() => import('./read-transaction.ts'))
      return readTransaction(hash as `0x${string}`, {
        rpcUrl: rpcUrlOf(config),
        contracts: config.contracts,
      })
    },
    enabled: config !== undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'final' || data?.state === 'failed' ? false : LOOK_AGAIN_MS,
  })
