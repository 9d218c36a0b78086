import type { Withdrawal } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { CallOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** One withdrawal. */
export async function getWithdrawal(
  core: Core,
  withdrawalId: string,
  { signal }: CallOptions = {},
): Promise<Withdrawal> {
  const { response } = await exchange(core, 'getWithdrawal', { params: { id: withdrawalId }, signal })
  return response.data
}
