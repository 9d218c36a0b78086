import type { Notification } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import { followNotifications, type StreamOptions } from '../../events/followNotifications.ts'

/**
 * Your notifications as they come. A broken connection is opened again and goes on where it was; leaving the loop, or
 * the signal, ends it.
 *
 * @example
 * for await (const { type, message } of marketplace.streamNotifications()) console.log(type, message)
 */
export async function* streamNotifications(
  core: Core,
  options: StreamOptions = {},
): AsyncGenerator<Notification, void> {
  for await (const event of followNotifications(core, options)) {
    if (event.type === 'notification') yield event.notification
  }
}
