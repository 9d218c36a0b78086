import type { SellerReview } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { byCursor } from '../../paging/pages.ts'
import { exchange } from '../../transport/exchange.ts'

/** The reviews of all agents of a seller, newest first. */
export function listSellerReviews(
  core: Core,
  wallet: string,
  query: QueryOf<'listSellerReviews'> = {},
  { signal }: CallOptions = {},
): AsyncGenerator<SellerReview, void> {
  return byCursor(query.cursor, async (cursor) => {
    const page = { params: { wallet }, query: { ...query, cursor }, signal }
    const { response } = await exchange(core, 'listSellerReviews', page)
    return { items: response.data, nextCursor: response.nextCursor }
  })
}
