import type { Core } from '../core.ts'
import type { EndpointId, Request, ResponseOf } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/**
 * Calls any endpoint by its name, with the same care as the named actions: webhooks, API keys, x402 logs, admin.
 *
 * @example
 * const { data } = await marketplace.call('createWebhook', { body: { url, events: ['JOB_FUNDED'] } })
 */
export async function call<Id extends EndpointId>(
  core: Core,
  id: Id,
  ...[request]: object extends Request<Id> ? [Request<Id>?] : [Request<Id>]
): Promise<ResponseOf<Id>> {
  const { response } = await exchange(core, id, { ...request })
  return response
}
