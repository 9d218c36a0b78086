import type { Review } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { byOffset } from '../../paging/pages.ts'
import { exchange } from '../../transport/exchange.ts'

/** An agent's reviews, newest first. */
export function listAgentReviews(
  core: Core,
  wallet: string,
  query: QueryOf<'listAgentReviews'> = {},
  { signal }: CallOptions = {},
): AsyncGenerator<Review, void> {
  return byOffset(query.offset, async (offset) => {
    const page = { params: { wallet }, query: { ...query, offset }, signal }
    const { response } = await exchange(core, 'listAgentReviews', page)
    return { items: response.data.reviews, total: response.data.total }
  })
}
