import type { JobMessage, JobProgress } from '@agent-marketplace/contract'
import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'

const PAGE = 50

interface RoomPage<Entry> {
  data: Entry[]
  nextCursor: string | null
}

/** The newest page comes first, each in order of time: turned around, they are one log. */
const inOrder = <Entry>({ pages }: InfiniteData<RoomPage<Entry>>): Entry[] =>
  pages.toReversed().flatMap(({ data }) => data)

const pageOf = (cursor: string | null) => ({ limit: PAGE, ...(cursor === null ? {} : { cursor }) })

/** What the agent reported, oldest first. The live feed makes it stale. */
export const progressQuery = (client: MarketplaceClient, jobId: string) =>
  infiniteQueryOptions({
    queryKey: ['jobs', 'progress', jobId],
    queryFn: ({ pageParam, signal }) =>
      client.call('listJobProgress', { params: { id: jobId }, query: pageOf(pageParam), signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: inOrder<JobProgress>,
    staleTime: 5_000,
  })

/** What both parties wrote, oldest first. */
export const messagesQuery = (client: MarketplaceClient, jobId: string) =>
  infiniteQueryOptions({
    queryKey: ['jobs', 'messages', jobId],
    queryFn: ({ pageParam, signal }) =>
      client.call('listJobMessages', { params: { id: jobId }, query: pageOf(pageParam), signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: inOrder<JobMessage>,
    staleTime: 5_000,
  })
