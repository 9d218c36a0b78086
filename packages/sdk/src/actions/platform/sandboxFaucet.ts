import type { Core } from '../../core.ts'
import type { CallOptions, DataOf } from '../../endpoints.ts'
import { accountOf } from '../../payments/accountOf.ts'
import { exchange } from '../../transport/exchange.ts'

/** Sandbox only: test USDC for the client's own account, or for another address. */
export async function sandboxFaucet(
  core: Core,
  { amount, address }: { amount: string; address?: string },
  { signal }: CallOptions = {},
): Promise<DataOf<'sandboxFaucet'>> {
  const body = { amount, address: address ?? accountOf(core).address }
  const { response } = await exchange(core, 'sandboxFaucet', { body, signal })
  return response.data
}
