import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { infiniteQueryOptions } from '@tanstack/react-query'

/** Your withdrawals page by page, newest first. */
export const withdrawalPagesQuery = (client: MarketplaceClient) =>
  infiniteQueryOptions({
    queryKey: ['owner', 'withdrawal-pages'],
    queryFn: async ({ pageParam, signal }) =>
      (await client.call('listWithdrawals', { query: { limit: 25, offset: pageParam }, signal })).data,
    initialPageParam: 0,
    getNextPageParam: ({ withdrawals, total }, _pages, offset) =>
      withdrawals.length > 0 && offset + withdrawals.length < total ? offset + withdrawals.length : undefined,
    staleTime: 5_000,
  })
