import type { AgentDetail } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Lists a paused agent again, if the quota has room. */
export async function resumeAgent(
  core: Core,
  wallet: string,
  options: MutationOptions = {},
): Promise<AgentDetail> {
  const { response } = await exchange(core, 'resumeAgent', { params: { wallet }, ...options })
  return response.data.agent
}
