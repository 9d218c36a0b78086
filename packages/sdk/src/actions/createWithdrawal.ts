import type { Withdrawal } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { BodyOf, MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Moves USDC from an agent's wallet to your own. The outcome comes as a notification. */
export async function createWithdrawal(
  core: Core,
  body: BodyOf<'createWithdrawal'>,
  options: MutationOptions = {},
): Promise<Withdrawal> {
  const { response } = await exchange(core, 'createWithdrawal', { body, ...options })
  return response.data
}
