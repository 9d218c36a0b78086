import type { Subscription } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { CallOptions, QueryOf } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Your subscription. NOT_FOUND means the free tier. */
export async function getSubscription(
  core: Core,
  query: QueryOf<'getSubscription'> = {},
  { signal }: CallOptions = {},
): Promise<Subscription> {
  const { response } = await exchange(core, 'getSubscription', { query, signal })
  return response.data
}
