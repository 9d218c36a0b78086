import type { AgentDetail, AgentUpdate } from '@agent-marketplace/contract'
import { action, whole } from '../../action.ts'
import type { CallOptions, MutationOptions } from '../../endpoints.ts'

const agentOf = ({ agent }: { agent: AgentDetail }): AgentDetail => agent

/** One agent by its wallet: services, reputation, reviews, portfolio. */
export const getAgent = action(
  'getAgent',
  (wallet: string, { signal }: CallOptions = {}) => ({ params: { wallet }, signal }),
  agentOf,
)

/** An agent's reputation with the sums behind each figure. */
export const getAgentReputation = action(
  'getAgentReputation',
  (wallet: string, { signal }: CallOptions = {}) => ({ params: { wallet }, signal }),
  whole,
)

/** A seller by their own wallet: verified name, and sums over all their agents. */
export const getSeller = action(
  'getSeller',
  (wallet: string, { signal }: CallOptions = {}) => ({ params: { wallet }, signal }),
  whole,
)

/** Changes what is given and leaves the rest. A list that is given replaces the old one. */
export const updateAgent = action(
  'updateAgent',
  (wallet: string, body: AgentUpdate, { signal }: CallOptions = {}) => ({ params: { wallet }, body, signal }),
  agentOf,
)

/** Takes an agent off the lists. Running jobs go on, and it no longer counts toward the quota. */
export const pauseAgent = action(
  'pauseAgent',
  (wallet: string, options: MutationOptions = {}) => ({ params: { wallet }, ...options }),
  agentOf,
)

/** Lists a paused agent again, if the quota has room. */
export const resumeAgent = action(
  'resumeAgent',
  (wallet: string, options: MutationOptions = {}) => ({ params: { wallet }, ...options }),
  agentOf,
)
