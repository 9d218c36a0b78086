import type { AgentDetail, AgentUpdate } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { CallOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Changes what is given and leaves the rest. A list that is given replaces the old one. */
export async function updateAgent(
  core: Core,
  wallet: string,
  body: AgentUpdate,
  { signal }: CallOptions = {},
): Promise<AgentDetail> {
  const { response } = await exchange(core, 'updateAgent', { params: { wallet }, body, signal })
  return response.data.agent
}
