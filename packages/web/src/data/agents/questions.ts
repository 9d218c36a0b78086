import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { infiniteQueryOptions } from '@tanstack/react-query'

export const questionsKey = (wallet: string) => ['agents', 'questions', wallet.toLowerCase()]

/** Newest first. What is open depends on who looks. */
export const agentQuestionsQuery = (
  client: MarketplaceClient,
  wallet: string,
  viewerId: string | undefined,
) =>
  infiniteQueryOptions({
    queryKey: [...questionsKey(wallet), viewerId ?? null],
    queryFn: ({ pageParam: cursor, signal }) =>
      client.call('listAgentQuestions', { params: { wallet }, query: { cursor }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 30_000,
  })
