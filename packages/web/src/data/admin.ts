import type { MarketplaceClient, QueryOf } from '@agent-marketplace/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

const ROWS_PER_PAGE = 25

interface Paged {
  total: number
}

/** A list of the console: read page by page, under a key that decisions make stale. */
const pagedQuery = <Page extends Paged>(
  key: readonly unknown[],
  read: (page: { limit: number; offset: number }, signal: AbortSignal) => Promise<Page>,
) =>
  infiniteQueryOptions({
    queryKey: ['admin', ...key],
    queryFn: ({ pageParam, signal }) => read({ limit: ROWS_PER_PAGE, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ total }, _pages, offset) =>
      offset + ROWS_PER_PAGE < total ? offset + ROWS_PER_PAGE : undefined,
    staleTime: 5_000,
  })

type Filter<Id extends Parameters<MarketplaceClient['call']>[0]> = Omit<QueryOf<Id>, 'limit' | 'offset'>

export const adminAgentsQuery = (client: MarketplaceClient, filter: Filter<'adminListAgents'>) =>
  pagedQuery(['agents', filter], async (page, signal) => {
    const { data } = await client.call('adminListAgents', { query: { ...filter, ...page }, signal })
    return { rows: data.agents, total: data.total }
  })

export const disputesQuery = (client: MarketplaceClient, filter: Filter<'listDisputes'>) =>
  pagedQuery(['disputes', filter], async (page, signal) => {
    const { data } = await client.call('listDisputes', { query: { ...filter, ...page }, signal })
    return { rows: data.disputes, total: data.total }
  })

export const amlFlagsQuery = (client: MarketplaceClient, filter: Filter<'listAmlFlags'>) =>
  pagedQuery(['aml', filter], async (page, signal) => {
    const { data } = await client.call('listAmlFlags', { query: { ...filter, ...page }, signal })
    return { rows: data.flags, total: data.total }
  })

export const ownersQuery = (client: MarketplaceClient, filter: Filter<'adminListOwners'>) =>
  pagedQuery(['owners', filter], async (page, signal) => {
    const { data } = await client.call('adminListOwners', { query: { ...filter, ...page }, signal })
    return { rows: data.owners, total: data.total }
  })

export const adminWithdrawalsQuery = (client: MarketplaceClient, filter: Filter<'adminListWithdrawals'>) =>
  pagedQuery(['withdrawals', filter], async (page, signal) => {
    const { data } = await client.call('adminListWithdrawals', { query: { ...filter, ...page }, signal })
    return { rows: data.withdrawals, total: data.total }
  })

export const auditQuery = (client: MarketplaceClient, filter: Filter<'listAuditLog'>) =>
  pagedQuery(['audit', filter], async (page, signal) => {
    const { data } = await client.call('listAuditLog', { query: { ...filter, ...page }, signal })
    return { rows: data.entries, total: data.total }
  })

/** One dispute; the Safe's execution follows by itself, so it is read again while it is looked at. */
export const disputeQuery = (client: MarketplaceClient, jobId: string) =>
  queryOptions({
    queryKey: ['admin', 'dispute', jobId],
    queryFn: async ({ signal }) => (await client.call('getDispute', { params: { id: jobId }, signal })).data,
    refetchInterval: 3_000,
  })

/** Volume, fees, buyers and sellers of the last 30 days. */
export const activityQuery = (client: MarketplaceClient) =>
  queryOptions({
    queryKey: ['admin', 'activity'],
    queryFn: async ({ signal }) => (await client.call('getActivity', { signal })).data,
    staleTime: 30_000,
  })

export const engineQuery = (client: MarketplaceClient) =>
  queryOptions({
    queryKey: ['admin', 'engine'],
    queryFn: async ({ signal }) => (await client.call('getEngine', { signal })).data,
    refetchInterval: 3_000,
  })

export const deadLettersQuery = (client: MarketplaceClient) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'dead-letters'],
    queryFn: ({ pageParam, signal }) =>
      client.call('listDeadLetters', {
        query: { limit: ROWS_PER_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: 10_000,
  })
