import type { OwnerRegistration } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { DataOf, MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Registers you as a seller. Finish the identity verification at `kycUrl`. */
export async function registerOwner(
  core: Core,
  body: OwnerRegistration,
  options: MutationOptions = {},
): Promise<DataOf<'registerOwner'>> {
  const { response } = await exchange(core, 'registerOwner', { body, ...options })
  return response.data
}
