import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { queryOptions } from '@tanstack/react-query'

/** As many as one response holds. */
const NEWEST = 100

/** The newest reviews of an agent in one go, to draw its rating over time. */
export const ratingReviewsQuery = (client: MarketplaceClient, wallet: string) =>
  queryOptions({
    queryKey: ['agents', 'rating-reviews', wallet.toLowerCase()],
    queryFn: async ({ signal }) => {
      const query = { limit: NEWEST, offset: 0 }
      return (await client.call('listAgentReviews', { params: { wallet }, query, signal })).data.reviews
    },
    staleTime: 30_000,
  })
