import type { Core } from '../core.ts'
import type { CallOptions, DataOf, QueryOf } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** The price of a plan, what would be charged now, and what would be signed. */
export async function quoteSubscription(
  core: Core,
  query: QueryOf<'quoteSubscription'>,
  { signal }: CallOptions = {},
): Promise<DataOf<'quoteSubscription'>> {
  const { response } = await exchange(core, 'quoteSubscription', { query, signal })
  return response.data
}
