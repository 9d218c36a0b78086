import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { queryOptions } from '@tanstack/react-query'

export const receiptQuery = (client: MarketplaceClient, jobId: string) =>
  queryOptions({
    queryKey: ['jobs', 'receipt', jobId],
    queryFn: ({ signal }) => client.getReceipt(jobId, { signal }),
    staleTime: 10_000,
  })
