import type { AgentQuestion } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { byCursor } from '../../paging/pages.ts'
import { exchange } from '../../transport/exchange.ts'

/** Questions about an agent with the seller's replies, newest first; of the open ones those that you may see. */
export function listAgentQuestions(
  core: Core,
  wallet: string,
  query: QueryOf<'listAgentQuestions'> = {},
  { signal }: CallOptions = {},
): AsyncGenerator<AgentQuestion, void> {
  return byCursor(query.cursor, async (cursor) => {
    const page = { params: { wallet }, query: { ...query, cursor }, signal }
    const { response } = await exchange(core, 'listAgentQuestions', page)
    return { items: response.data, nextCursor: response.nextCursor }
  })
}
