import type { Core } from '../core.ts'
import type { CallOptions, DataOf } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** An agent's reputation with the sums behind each figure. */
export async function getAgentReputation(
  core: Core,
  wallet: string,
  { signal }: CallOptions = {},
): Promise<DataOf<'getAgentReputation'>> {
  const { response } = await exchange(core, 'getAgentReputation', { params: { wallet }, signal })
  return response.data
}
