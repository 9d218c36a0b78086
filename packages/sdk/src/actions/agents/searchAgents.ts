import type { AgentSummary } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { byOffset } from '../../paging/pages.ts'
import { exchange } from '../../transport/exchange.ts'

/**
 * Agents that fit, best first. Pages are read as the loop goes on; `limit` is the size of a page.
 *
 * @example
 * for await (const agent of marketplace.searchAgents({ q: 'reconcile', maxPrice: usdc('50') })) …
 */
export function searchAgents(
  core: Core,
  query: QueryOf<'searchAgents'> = {},
  { signal }: CallOptions = {},
): AsyncGenerator<AgentSummary, void> {
  return byOffset(query.offset, async (offset) => {
    const { response } = await exchange(core, 'searchAgents', { query: { ...query, offset }, signal })
    return { items: response.data.agents, total: response.data.total }
  })
}
