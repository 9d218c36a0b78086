import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { queryOptions } from '@tanstack/react-query'
import { isKnownType } from './agent-types.ts'

export interface AgentFacets {
  types: string[]
  skills: string[]
}

/** As many as one response holds: enough to name what people look for. */
const SAMPLE_SIZE = 100

/**
 * What there is to choose from in filters: the types and skills of the agents with most jobs, the most frequent first.
 * Only types of the list: what one seller wrote is nothing that everybody has to look at.
 */
export const agentFacetsQuery = (client: MarketplaceClient) =>
  queryOptions({
    queryKey: ['facets'],
    queryFn: async ({ signal }): Promise<AgentFacets> => {
      const query = { sort: 'jobs', limit: SAMPLE_SIZE } as const
      const { agents } = (await client.call('searchAgents', { query, signal })).data
      return {
        types: byFrequency(agents.map(({ type }) => type).filter(isKnownType)),
        skills: byFrequency(agents.flatMap(({ skills }) => skills)),
      }
    },
    staleTime: 5 * 60_000,
  })

function byFrequency(words: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
    .sort(([a, countA], [b, countB]) => countB - countA || a.localeCompare(b))
    .map(([word]) => word)
}
