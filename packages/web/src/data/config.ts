import type { DataOf, MarketplaceClient } from '@agent-marketplace/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSessionStore } from '../session/SessionProvider.tsx'

export type PlatformConfig = DataOf<'getConfig'>

/** Chain, contracts, limits, fees and plans: they do not change while a service runs. */
export const configQuery = (client: MarketplaceClient) =>
  queryOptions({
    queryKey: ['config'],
    queryFn: ({ signal }) => client.getConfig({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

/** Undefined until it was read. */
export function useConfig(): PlatformConfig | undefined {
  return useQuery(configQuery(useSessionStore().reader)).data
}

/** In the sandbox the chain is the service itself, under whatever name this page was opened. */
export function rpcUrlOf({ mode, chain }: Pick<PlatformConfig, 'mode' | 'chain'>): string {
  return mode === 'sandbox' ? new URL('/rpc', location.origin).href : chain.rpcUrl
}
