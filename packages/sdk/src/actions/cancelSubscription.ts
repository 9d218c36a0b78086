import type { Subscription } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { CallOptions, QueryOf } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Ends the pulls. What is paid for stays open until `currentPeriodEnd`. */
export async function cancelSubscription(
  core: Core,
  query: QueryOf<'cancelSubscription'> = {},
  { signal }: CallOptions = {},
): Promise<Subscription> {
  const { response } = await exchange(core, 'cancelSubscription', { query, signal })
  return response.data
}
