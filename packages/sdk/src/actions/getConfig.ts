import type { Core } from '../core.ts'
import type { CallOptions, DataOf } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** The chain, the contracts, the limits, the fees and the plans. */
export async function getConfig(core: Core, { signal }: CallOptions = {}): Promise<DataOf<'getConfig'>> {
  const { answer } = await exchange(core, 'getConfig', { signal })
  return answer.data
}

/** The same, read once for a client: it does not change while a service runs. */
export function readConfig(core: Core): Promise<DataOf<'getConfig'>> {
  const { memory } = core
  memory.config ??= getConfig(core).catch((error) => {
    memory.config = undefined
    throw error
  })
  return memory.config
}
