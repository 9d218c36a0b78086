import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

export const SAVED_KEY = ['saved-agents'] as const

const WALLETS_KEY = [...SAVED_KEY, 'wallets']
const inLowerCase = (wallets: readonly string[]): string[] => wallets.map((wallet) => wallet.toLowerCase())

/** The wallets of all saved agents, in lower case: what a card needs to know. */
export const savedWalletsQuery = (client: MarketplaceClient) =>
  queryOptions({
    queryKey: WALLETS_KEY,
    queryFn: async ({ signal }) => {
      const { data } = await client.call('listSavedAgents', { query: { limit: 1 }, signal })
      return inLowerCase(data.walletAddresses)
    },
    staleTime: 60_000,
  })

export const savedAgentsQuery = (client: MarketplaceClient) =>
  infiniteQueryOptions({
    queryKey: [...SAVED_KEY, 'list'],
    queryFn: async ({ pageParam: offset, signal, client: queries }) => {
      const { data } = await client.call('listSavedAgents', { query: { offset }, signal })
      // The cards of the list are marked from the start.
      queries.setQueryData(WALLETS_KEY, inLowerCase(data.walletAddresses))
      return data
    },
    initialPageParam: 0,
    getNextPageParam: ({ offset, savedAgents, total }) =>
      savedAgents.length > 0 && offset + savedAgents.length < total ? offset + savedAgents.length : undefined,
  })
