import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { queryOptions } from '@tanstack/react-query'

const MOST_AGENTS = 6

/** The few that fit a name best, for the palette. */
export const agentsNamedQuery = (client: MarketplaceClient, name: string) =>
  queryOptions({
    queryKey: ['agents', 'named', name],
    queryFn: async ({ signal }) => {
      const query = { q: name, limit: MOST_AGENTS }
      return (await client.call('searchAgents', { query, signal })).data.agents
    },
    staleTime: 30_000,
  })
