import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSessionStore } from '../../session/SessionProvider.tsx'
import type { PlatformConfig } from './platform-config.ts'

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
