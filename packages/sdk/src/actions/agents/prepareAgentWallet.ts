import type { Core } from '../../core.ts'
import type { DataOf, MutationOptions } from '../../endpoints.ts'
import { exchange } from '../../transport/exchange.ts'

/**
 * The transaction that names the agent's wallet in the identity registry, for the token's owner to send within minutes:
 * `walletClient.sendTransaction(transaction)`. Null where there is nothing to send.
 */
export async function prepareAgentWallet(
  core: Core,
  wallet: string,
  options: MutationOptions = {},
): Promise<DataOf<'prepareAgentWallet'>> {
  const { response } = await exchange(core, 'prepareAgentWallet', { params: { wallet }, ...options })
  return response.data
}
