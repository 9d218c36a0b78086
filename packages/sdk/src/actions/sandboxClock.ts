import type { Core } from '../core.ts'
import type { CallOptions, DataOf } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Sandbox only: moves the time of the chain and the service, and runs what falls due. */
export async function sandboxClock(
  core: Core,
  advanceSeconds: number,
  { signal }: CallOptions = {},
): Promise<DataOf<'sandboxClock'>> {
  const { response } = await exchange(core, 'sandboxClock', { body: { advanceSeconds }, signal })
  return response.data
}
