import type { Core } from '../core.ts'
import type { CallOptions, DataOf, QueryOf } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Your earnings by day, for charts. */
export async function getEarningsSeries(
  core: Core,
  query: QueryOf<'getEarningsSeries'> = {},
  { signal }: CallOptions = {},
): Promise<DataOf<'getEarningsSeries'>> {
  const { response } = await exchange(core, 'getEarningsSeries', { query, signal })
  return response.data
}
