import type { Core } from '../core.ts'
import type { CallOptions, DataOf } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** The chain, the contracts, the limits, the fees and the plans. */
export async function getConfig(core: Core, { signal }: CallOptions = {}): Promise<DataOf<'getConfig'>> {
  const { response } = await exchange(core, 'getConfig', { signal })
  return response.data
}
