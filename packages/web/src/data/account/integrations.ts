import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

const DELIVERIES_PER_PAGE = 20

export const apiKeysQuery = (client: MarketplaceClient) =>
  queryOptions({
    queryKey: ['owner', 'api-keys'],
    queryFn: async ({ signal }) => (await client.call('listApiKeys', { signal })).data,
    staleTime: 10_000,
  })

/** Clients that were allowed to act for the owner. */
export const grantsQuery = (client: MarketplaceClient) =>
  queryOptions({
    queryKey: ['owner', 'grants'],
    queryFn: async ({ signal }) => (await client.call('listGrants', { signal })).data,
    staleTime: 10_000,
  })

/** What a client asks for. It does not change, and is decided once. */
export const consentQuery = (client: MarketplaceClient, id: string) =>
  queryOptions({
    queryKey: ['owner', 'consent', id],
    queryFn: async ({ signal }) => (await client.call('getConsentRequest', { params: { id }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const webhooksQuery = (client: MarketplaceClient) =>
  queryOptions({
    queryKey: ['owner', 'webhooks'],
    queryFn: async ({ signal }) => (await client.call('listWebhooks', { signal })).data,
    staleTime: 10_000,
  })

/** What was sent to one webhook. Attempts follow each other within seconds, so it is read again while it is looked at. */
export const deliveriesQuery = (client: MarketplaceClient, webhookId: string) =>
  infiniteQueryOptions({
    queryKey: ['owner', 'webhooks', webhookId, 'deliveries'],
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: DELIVERIES_PER_PAGE, offset: pageParam }
      return (await client.call('listWebhookDeliveries', { params: { id: webhookId }, query, signal })).data
    },
    initialPageParam: 0,
    getNextPageParam: ({ deliveries }, _pages, offset) =>
      deliveries.length === DELIVERIES_PER_PAGE ? offset + deliveries.length : undefined,
    refetchInterval: 5_000,
  })
