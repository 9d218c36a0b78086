import type { Notification } from '@agent-marketplace/contract'
import type { NotificationRow } from './store.ts'

export function presentNotification(row: NotificationRow): Notification {
  return {
    id: row.id,
    type: row.type,
    title: row.title,
    message: row.repeats === 0 ? row.message : `${row.message} (And ${row.repeats} more like this.)`,
    read: row.readAt !== null,
    createdAt: row.createdAt.toISOString(),
    link: row.link,
  }
}

/** One server-sent event. JSON holds no line breaks, so one data line is enough. */
export function presentEvent(row: NotificationRow): string {
  return `id: ${row.id}\nevent: notification\ndata: ${JSON.stringify(presentNotification(row))}\n\n`
}
