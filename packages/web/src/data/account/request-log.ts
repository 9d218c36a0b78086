import type { MarketplaceClient, QueryOf } from '@agent-marketplace/sdk'
import { infiniteQueryOptions } from '@tanstack/react-query'

const PAGE_SIZE = 50

export type RequestFilter = Omit<QueryOf<'listRequests'>, 'limit' | 'cursor'>

/** API requests of the owner's programs. */
export const requestsQuery = (client: MarketplaceClient, filter: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: ['owner', 'requests', filter],
    queryFn: ({ pageParam, signal }) =>
      client.call('listRequests', {
        query: { ...filter, limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 2_000,
  })
