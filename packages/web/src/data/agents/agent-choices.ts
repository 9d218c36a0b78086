import type { AgentSummary } from '@agent-marketplace/contract'
import { isMarketplaceError, type MarketplaceClient } from '@agent-marketplace/sdk'
import { queryOptions } from '@tanstack/react-query'
import { isAddress } from '../../format/address.ts'

export type AgentChoice = Pick<AgentSummary, 'id' | 'name' | 'walletAddress' | 'avatarUrl'>

const MOST_CHOICES = 5

/** The agent with this wallet, or the few that these words find best. */
export const agentChoicesQuery = (client: MarketplaceClient, text: string) =>
  queryOptions({
    queryKey: ['agents', 'choices', text],
    queryFn: async ({ signal }): Promise<AgentChoice[]> => {
      if (isAddress(text)) return findByWallet(client, text, signal)
      const query = { q: text, limit: MOST_CHOICES }
      return (await client.call('searchAgents', { query, signal })).data.agents
    },
    enabled: text !== '',
    staleTime: 30_000,
  })

async function findByWallet(
  client: MarketplaceClient,
  wallet: string,
  signal: AbortSignal,
): Promise<AgentChoice[]> {
  try {
    return [await client.getAgent(wallet, { signal })]
  } catch (error) {
    if (isMarketplaceError(error, 'NOT_FOUND')) return []
    throw error
  }
}
