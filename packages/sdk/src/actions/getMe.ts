import type { OwnerProfile } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { CallOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Your account with its totals and agents. */
export async function getMe(core: Core, { signal }: CallOptions = {}): Promise<OwnerProfile> {
  const { response } = await exchange(core, 'getMe', { signal })
  return response.data
}
