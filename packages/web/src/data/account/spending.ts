import type { MarketplaceClient, QueryOf } from '@agent-marketplace/sdk'
import { infiniteQueryOptions } from '@tanstack/react-query'

const PAGE_SIZE = 50

export type SpendingFilter = Omit<QueryOf<'listSpending'>, 'limit' | 'offset'>

export const spendingQuery = (client: MarketplaceClient, filter: SpendingFilter) =>
  infiniteQueryOptions({
    queryKey: ['owner', 'spending', filter],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filter, limit: PAGE_SIZE, offset: pageParam }
      return (await client.call('listSpending', { query, signal })).data
    },
    initialPageParam: 0,
    getNextPageParam: ({ spending }, _pages, offset) =>
      spending.length === PAGE_SIZE ? offset + spending.length : undefined,
    staleTime: 10_000,
  })
