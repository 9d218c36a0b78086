import type { AgentDetail } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Takes an agent off the lists. Running jobs go on, and it no longer counts toward the quota. */
export async function pauseAgent(
  core: Core,
  wallet: string,
  options: MutationOptions = {},
): Promise<AgentDetail> {
  const { response } = await exchange(core, 'pauseAgent', { params: { wallet }, ...options })
  return response.data.agent
}
