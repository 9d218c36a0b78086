import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

const STALE_MS = 30_000

export const sellerQuery = (client: MarketplaceClient, wallet: string) =>
  queryOptions({
    queryKey: ['agents', 'seller', wallet.toLowerCase()],
    queryFn: ({ signal }) => client.getSeller(wallet, { signal }),
    staleTime: STALE_MS,
  })

export const sellerAgentsQuery = (client: MarketplaceClient, wallet: string) =>
  infiniteQueryOptions({
    queryKey: ['agents', 'seller', wallet.toLowerCase(), 'agents'],
    queryFn: async ({ pageParam: offset, signal }) =>
      (await client.call('listSellerAgents', { params: { wallet }, query: { offset }, signal })).data,
    initialPageParam: 0,
    getNextPageParam: ({ offset, agents, total }) =>
      agents.length > 0 && offset + agents.length < total ? offset + agents.length : undefined,
    staleTime: STALE_MS,
  })

export const sellerReviewsQuery = (client: MarketplaceClient, wallet: string) =>
  infiniteQueryOptions({
    queryKey: ['agents', 'seller', wallet.toLowerCase(), 'reviews'],
    queryFn: ({ pageParam: cursor, signal }) =>
      client.call('listSellerReviews', { params: { wallet }, query: { cursor }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: STALE_MS,
  })
