import type { Owner } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { BodyOf, MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Sandbox only: sets your own verification state. */
export async function setSandboxKyc(
  core: Core,
  body: BodyOf<'setSandboxKyc'>,
  options: MutationOptions = {},
): Promise<Owner> {
  const { response } = await exchange(core, 'setSandboxKyc', { body, ...options })
  return response.data.owner
}
