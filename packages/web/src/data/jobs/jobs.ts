import type { MarketplaceClient, QueryOf } from '@agent-marketplace/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

export type JobFilter = Omit<QueryOf<'listJobs'>, 'limit' | 'cursor'>

export const jobsQuery = (client: MarketplaceClient, filter: JobFilter) =>
  infiniteQueryOptions({
    queryKey: ['jobs', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      client.call('listJobs', {
        query: { ...filter, limit: 20, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 10_000,
  })

export const jobQuery = (client: MarketplaceClient, jobId: string) =>
  queryOptions({
    queryKey: ['jobs', 'one', jobId],
    queryFn: ({ signal }) => client.getJob(jobId, { signal }),
    staleTime: 5_000,
  })
