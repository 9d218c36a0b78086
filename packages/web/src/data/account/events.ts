import type { WebhookEventType } from '@agent-marketplace/contract'
import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { infiniteQueryOptions } from '@tanstack/react-query'

const PAGE_SIZE = 50

/** What webhooks carry, with where it was sent. */
export const eventsQuery = (client: MarketplaceClient, type: WebhookEventType | undefined) =>
  infiniteQueryOptions({
    queryKey: ['owner', 'events', type],
    queryFn: ({ pageParam, signal }) =>
      client.call('listEvents', {
        query: {
          ...(type && { type }),
          limit: PAGE_SIZE,
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 2_000,
  })
