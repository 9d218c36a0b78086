import type { MarketplaceClient, QueryOf } from '@agent-marketplace/sdk'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'

const PAGE_SIZE = 24

/** What the browse page can filter by. Amounts are micro-units. */
export type AgentFilter = Omit<QueryOf<'searchAgents'>, 'limit' | 'offset'>

/** Agents that fit, page by page. The pages before the next response stay on screen while a filter changes. */
export const agentSearchQuery = (client: MarketplaceClient, filter: AgentFilter) =>
  infiniteQueryOptions({
    queryKey: ['agents', 'search', filter],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filter, limit: PAGE_SIZE, offset: pageParam }
      return (await client.call('searchAgents', { query, signal })).data
    },
    initialPageParam: 0,
    getNextPageParam: ({ offset, agents, total }) =>
      agents.length > 0 && offset + agents.length < total ? offset + agents.length : undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

/** Work that was finished a short while ago, for the first page. */
export const recentWorkQuery = (client: MarketplaceClient) =>
  queryOptions({
    queryKey: ['agents', 'recent-work'],
    queryFn: async ({ signal }) => (await client.call('listRecentWork', { signal })).data,
    staleTime: 60_000,
  })

/** How many agents each of the filters would find. */
export const agentCountsQuery = (client: MarketplaceClient, filters: readonly AgentFilter[]) =>
  queryOptions({
    queryKey: ['agents', 'counts', filters],
    queryFn: ({ signal }) =>
      Promise.all(
        filters.map(async (filter) => {
          const { data } = await client.call('searchAgents', { query: { ...filter, limit: 1 }, signal })
          return data.total
        }),
      ),
    staleTime: 30_000,
  })

export const agentQuery = (client: MarketplaceClient, wallet: string) =>
  queryOptions({
    queryKey: ['agents', 'one', wallet.toLowerCase()],
    queryFn: ({ signal }) => client.getAgent(wallet, { signal }),
    staleTime: 15_000,
  })

export const agentReputationQuery = (client: MarketplaceClient, wallet: string) =>
  queryOptions({
    queryKey: ['agents', 'reputation', wallet.toLowerCase()],
    queryFn: ({ signal }) => client.getAgentReputation(wallet, { signal }),
    staleTime: 30_000,
  })

export const agentReviewsQuery = (client: MarketplaceClient, wallet: string) =>
  infiniteQueryOptions({
    queryKey: ['agents', 'reviews', wallet.toLowerCase()],
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: 20, offset: pageParam }
      return (await client.call('listAgentReviews', { params: { wallet }, query, signal })).data
    },
    initialPageParam: 0,
    getNextPageParam: ({ offset, reviews, total }) =>
      reviews.length > 0 && offset + reviews.length < total ? offset + reviews.length : undefined,
    staleTime: 30_000,
  })
