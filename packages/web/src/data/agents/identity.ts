import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { queryOptions } from '@tanstack/react-query'

/** An agent's entry in the identity registry, read from the chain. For its owner. */
export const identityQuery = (client: MarketplaceClient, wallet: string) =>
  queryOptions({
    queryKey: ['agents', 'identity', wallet.toLowerCase()],
    queryFn: async ({ signal }) =>
      (await client.call('getAgentIdentity', { params: { wallet }, signal })).data,
    staleTime: 15_000,
  })
