import type { Core } from '../core.ts'
import type { DataOf, MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Marks everything that is unread now. */
export async function markAllNotificationsRead(
  core: Core,
  options: MutationOptions = {},
): Promise<DataOf<'markAllNotificationsRead'>> {
  const { response } = await exchange(core, 'markAllNotificationsRead', { ...options })
  return response.data
}
