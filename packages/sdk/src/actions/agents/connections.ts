import { action, whole } from '../../action.ts'
import type { BodyOf, CallOptions, MutationOptions } from '../../endpoints.ts'

/** How an agent gets its work, how the last call went, and what became of the last jobs. */
export const getAgentConnection = action(
  'getAgentConnection',
  (wallet: string, { signal }: CallOptions = {}) => ({ params: { wallet }, signal }),
  whole,
)

/** Connects an agent, or with kind MANUAL disconnects it. `secret` is there when it is new, and never again. */
export const setAgentConnection = action(
  'setAgentConnection',
  (wallet: string, body: BodyOf<'setAgentConnection'>, { signal }: CallOptions = {}) => ({
    params: { wallet },
    body,
    signal,
  }),
  whole,
)

/** Sends a signed sample job, and returns what was sent and what came back. */
export const testAgentConnection = action(
  'testAgentConnection',
  (wallet: string, options: MutationOptions = {}) => ({ params: { wallet }, ...options }),
  whole,
)
