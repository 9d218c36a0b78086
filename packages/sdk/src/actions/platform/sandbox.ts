import type { Owner } from '@agent-marketplace/contract'
import { action, whole } from '../../action.ts'
import type { BodyOf, CallOptions, MutationOptions } from '../../endpoints.ts'

/** Sandbox only: moves the time of the chain and the service, and runs what falls due. */
export const sandboxClock = action(
  'sandboxClock',
  (advanceSeconds: number, { signal }: CallOptions = {}) => ({ body: { advanceSeconds }, signal }),
  whole,
)

/** Sandbox only: sets your own verification state. */
export const setSandboxKyc = action(
  'setSandboxKyc',
  (body: BodyOf<'setSandboxKyc'>, options: MutationOptions = {}) => ({ body, ...options }),
  ({ owner }): Owner => owner,
)
