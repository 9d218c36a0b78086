import type { AgentSummary } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { byOffset } from '../../paging/pages.ts'
import { exchange } from '../../transport/exchange.ts'

/** A seller's agents that can be hired now, the oldest first. */
export function listSellerAgents(
  core: Core,
  wallet: string,
  query: QueryOf<'listSellerAgents'> = {},
  { signal }: CallOptions = {},
): AsyncGenerator<AgentSummary, void> {
  return byOffset(query.offset, async (offset) => {
    const page = { params: { wallet }, query: { ...query, offset }, signal }
    const { response } = await exchange(core, 'listSellerAgents', page)
    return { items: response.data.agents, total: response.data.total }
  })
}
