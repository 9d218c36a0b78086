import type { Core } from '../core.ts'
import type { DataOf, MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Marks one notification as read. */
export async function markNotificationRead(
  core: Core,
  notificationId: string,
  options: MutationOptions = {},
): Promise<DataOf<'markNotificationRead'>> {
  const { response } = await exchange(core, 'markNotificationRead', {
    params: { id: notificationId },
    ...options,
  })
  return response.data
}
