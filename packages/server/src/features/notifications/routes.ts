import {
  listNotifications,
  markAllNotificationsRead,
  markNotificationRead,
  streamNotifications,
} from '@agent-marketplace/contract'
import type { FastifyRequest } from 'fastify'
import { type Route, route } from '../../platform/http/call.ts'
import { presentNotification } from './present.ts'
import type { NotificationsService } from './service.ts'
import type { NotificationStreams } from './streams.ts'

const LAST_BYTES_TIMEOUT_MS = 2_000

interface NotificationsRoutesDeps {
  notifications: NotificationsService
  streams: NotificationStreams
}

export function notificationsRoutes({ notifications, streams }: NotificationsRoutesDeps): Route[] {
  return [
    route(listNotifications, async ({ principal, query }) => {
      const { unreadOnly = false, limit = 20, offset = 0 } = query
      const page = await notifications.list({ ownerId: principal.ownerId, unreadOnly, limit, offset })
      const { rows, ...counts } = page
      return { data: { notifications: rows.map(presentNotification), ...counts } }
    }),

    route(markNotificationRead, ({ principal, params, transaction }) =>
      transaction(async (tx) => {
        const marked = await notifications.markRead(tx, { id: params.id, ownerId: principal.ownerId })
        return {
          data: { notification: presentNotification(marked.row), unreadCount: marked.unreadCount },
        }
      }),
    ),

    route(markAllNotificationsRead, ({ principal, query, transaction }) =>
      transaction(async (tx) => ({
        data: await notifications.markAllRead(tx, { ownerId: principal.ownerId, link: query.link }),
      })),
    ),

    route(streamNotifications, async ({ principal, request, reply }) => {
      reply
        .type('text/event-stream; charset=utf-8')
        // Proxy buffers would hold events back.
        .header('Cache-Control', 'no-cache, no-transform')
        .header('X-Accel-Buffering', 'no')
        // A stream that has ended leaves no idle connection behind, which a stopping server would have to wait for.
        .header('Connection', 'close')
      if (request.method === 'HEAD') {
        reply.send()
        return undefined
      }
      const stream = await streams.open({
        principal,
        address: request.facts.clientAddress,
        lastEventId: lastEventIdOf(request),
      })
      // A client that does not take the last bytes of an ended stream is not waited for.
      stream.once('end', () => reply.raw.setTimeout(LAST_BYTES_TIMEOUT_MS, () => reply.raw.destroy()))
      reply.send(stream)
      return undefined
    }),
  ]
}

const idPattern = /^[0-9A-Za-z_-]{1,64}$/

/**
 * Browsers send the header by themselves; the query is for clients whose first connection is already a return. What
 * could not be an id is like an unknown one: nothing is replayed.
 */
function lastEventIdOf({ headers, query }: FastifyRequest): string | undefined {
  const given = headers['last-event-id'] ?? (query as Record<string, unknown>).lastEventId
  return typeof given === 'string' && idPattern.test(given) ? given : undefined
}
