import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { queryOptions } from '@tanstack/react-query'

/**
 * What a larger quota costs now: only the service knows how much of the running period is left. Not one of the owner's
 * queries: those are read again once the plan is raised, and to the same quota it cannot be raised twice.
 */
export const upgradeQuoteQuery = (
  client: MarketplaceClient,
  agentQuota: number,
  account: string | undefined,
) =>
  queryOptions({
    queryKey: ['plan-quote', agentQuota, account],
    queryFn: ({ signal }) =>
      client.quoteSubscription({ plan: 'AGENT_QUOTA', agentQuota, ...(account && { account }) }, { signal }),
    staleTime: 30_000,
  })
