import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { queryOptions } from '@tanstack/react-query'

/** How an agent gets its work. For its owner. */
export const connectionQuery = (client: MarketplaceClient, wallet: string) =>
  queryOptions({
    queryKey: ['agents', 'connection', wallet.toLowerCase()],
    queryFn: ({ signal }) => client.getAgentConnection(wallet, { signal }),
  })
