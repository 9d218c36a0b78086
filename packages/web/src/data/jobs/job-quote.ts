import type { BodyOf, MarketplaceClient } from '@agent-marketplace/sdk'
import { queryOptions } from '@tanstack/react-query'

/** What a job would cost and how it would be paid. The service looks at the order as if it came, and keeps nothing. */
export const jobQuoteQuery = (client: MarketplaceClient, body: BodyOf<'quoteJob'>) =>
  queryOptions({
    queryKey: ['quote', body],
    queryFn: ({ signal }) => client.quoteJob(body, { signal }),
    staleTime: 60_000,
    gcTime: 60_000,
    // A hire uses up the files that it names: another quote for them is refused while the buyer signs.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
