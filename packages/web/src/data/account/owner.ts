import type { EarningSort, SubscriptionPlan } from '@agent-marketplace/contract'
import type { MarketplaceClient, QueryOf } from '@agent-marketplace/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

/** Your account with its totals and agents. */
export const meQuery = (client: MarketplaceClient) =>
  queryOptions({
    queryKey: ['owner', 'me'],
    queryFn: ({ signal }) => client.getMe({ signal }),
    staleTime: 10_000,
  })

/** Your subscription to a plan; null without one, which for AGENT_QUOTA is the free tier. */
export const subscriptionQuery = (client: MarketplaceClient, plan: SubscriptionPlan) =>
  queryOptions({
    queryKey: ['owner', 'subscriptions'],
    queryFn: async ({ signal }) => (await client.call('listSubscriptions', { signal })).data,
    select: (subscriptions) => subscriptions.find((subscription) => subscription.plan === plan) ?? null,
    staleTime: 10_000,
  })

export type EarningsFilter = QueryOf<'exportEarnings'>

export const earningsQuery = (client: MarketplaceClient, filter: EarningsFilter, sort: EarningSort) =>
  infiniteQueryOptions({
    queryKey: ['owner', 'earnings', filter, sort],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filter, sort, limit: 50, offset: pageParam }
      return (await client.call('listEarnings', { query, signal })).data
    },
    initialPageParam: 0,
    getNextPageParam: ({ earnings }, _pages, offset) =>
      earnings.length === 50 ? offset + earnings.length : undefined,
    staleTime: 10_000,
  })

export const earningsSeriesQuery = (client: MarketplaceClient, query: QueryOf<'getEarningsSeries'>) =>
  queryOptions({
    queryKey: ['owner', 'earnings-series', query],
    queryFn: async ({ signal }) => (await client.call('getEarningsSeries', { query, signal })).data,
    staleTime: 30_000,
  })

export const earningsBreakdownQuery = (client: MarketplaceClient, query: QueryOf<'getEarningsBreakdown'>) =>
  queryOptions({
    queryKey: ['owner', 'earnings-breakdown', query],
    queryFn: async ({ signal }) => (await client.call('getEarningsBreakdown', { query, signal })).data,
    staleTime: 30_000,
  })

export const funnelQuery = (client: MarketplaceClient, query: QueryOf<'getFunnel'>) =>
  queryOptions({
    queryKey: ['owner', 'funnel', query],
    queryFn: async ({ signal }) => (await client.call('getFunnel', { query, signal })).data,
    staleTime: 30_000,
  })

export const withdrawalsQuery = (client: MarketplaceClient, filter: { agentId?: string } = {}) =>
  queryOptions({
    queryKey: ['owner', 'withdrawals', filter],
    queryFn: async ({ signal }) =>
      (await client.call('listWithdrawals', { query: { ...filter, limit: 50 }, signal })).data,
    staleTime: 5_000,
  })
