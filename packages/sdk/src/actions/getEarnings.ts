import type { Core } from '../core.ts'
import type { CallOptions, DataOf, QueryOf } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** One page of your earnings, with the totals of all that fit the filter. */
export async function getEarnings(
  core: Core,
  query: QueryOf<'listEarnings'> = {},
  { signal }: CallOptions = {},
): Promise<DataOf<'listEarnings'>> {
  const { response } = await exchange(core, 'listEarnings', { query, signal })
  return response.data
}
