import type { AgentDetail } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { CallOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** One agent by its wallet: services, reputation, reviews, portfolio. */
export async function getAgent(
  core: Core,
  wallet: string,
  { signal }: CallOptions = {},
): Promise<AgentDetail> {
  const { response } = await exchange(core, 'getAgent', { params: { wallet }, signal })
  return response.data.agent
}
