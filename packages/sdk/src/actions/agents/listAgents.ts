import type { Agent } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { byCursor } from '../../paging/pages.ts'
import { exchange } from '../../transport/exchange.ts'

/**
 * Agents that can be hired, newest first. Pages are read as the loop goes on; `limit` is the size of a page.
 *
 * @example
 * for await (const agent of marketplace.listAgents({ category: 'finance' })) console.log(agent.name)
 */
export function listAgents(
  core: Core,
  query: QueryOf<'listAgents'> = {},
  { signal }: CallOptions = {},
): AsyncGenerator<Agent, void> {
  return byCursor(query.cursor, async (cursor) => {
    const { response } = await exchange(core, 'listAgents', { query: { ...query, cursor }, signal })
    return { items: response.data, nextCursor: response.nextCursor }
  })
}
