import type { WebhookEventType } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import type { Queryable } from '../../platform/db/queryable.ts'
import { createCursors } from '../../platform/http/cursor.ts'
import { eventIdOf, eventTypeOf, isNotificationType, notificationTypesOf } from './rules.ts'
import { type DeliveryRow, listOfEvents } from './sending/delivery-store.ts'

const DELIVERIES_OF_EVENT = 10

/** What the event is about, as the feed has it. */
export interface EventNotification {
  id: string
  seq: bigint
  type: string
  title: string
  message: string
  link: string | null
  createdAt: Date
}

export interface LoggedEvent {
  id: string
  type: WebhookEventType
  notification: EventNotification
  deliveries: DeliveryRow<WebhookEventType>[]
}

export interface EventLogDeps {
  db: Queryable
  cursorSecret: string
  /** Deliveries before it are not shown; undefined shows all. */
  logSince: () => Date | undefined
  listEvents: (page: {
    ownerId: string
    types: readonly string[]
    before: bigint | undefined
    limit: number
  }) => Promise<EventNotification[]>
}

interface EventFilter {
  ownerId: string
  type: WebhookEventType | undefined
}

const Place = Type.Object({ seq: Type.String() })

/** What webhooks carry, whether there is one or not. */
export function createEventLog({ db, cursorSecret, logSince, listEvents }: EventLogDeps) {
  const cursors = createCursors(Place, { secret: cursorSecret, list: 'events' })

  return {
    async list(
      filter: EventFilter,
      { limit, cursor }: { limit: number; cursor: string | undefined },
    ): Promise<{ events: LoggedEvent[]; nextCursor: string | null }> {
      const { ownerId, type } = filter
      const before = cursor === undefined ? undefined : BigInt(cursors.read(cursor, filter).seq)
      // One more than requested shows whether there is a next page.
      const page = { ownerId, types: notificationTypesOf(type), before, limit: limit + 1 }
      const found = await listEvents(page)
      const shown = found.slice(0, limit)
      const eventIds = shown.map(({ id }) => eventIdOf(id))
      const deliveries = await listOfEvents(db, {
        ownerId,
        eventIds,
        since: logSince(),
        limit: DELIVERIES_OF_EVENT,
      })
      const byEvent = Map.groupBy(deliveries, ({ eventId }) => eventId)
      const events = shown.flatMap((notification) => {
        if (!isNotificationType(notification.type)) return []
        const id = eventIdOf(notification.id)
        const eventType = eventTypeOf[notification.type]
        return { id, type: eventType, notification, deliveries: byEvent.get(id) ?? [] }
      })
      const last = shown.at(-1)
      const hasMore = found.length > limit && last !== undefined
      return { events, nextCursor: hasMore ? cursors.write({ seq: String(last.seq) }, filter) : null }
    },
  }
}

export type EventLog = ReturnType<typeof createEventLog>
