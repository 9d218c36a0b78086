import type { WebhookEventType, WebhookNotification, WebhookTest } from '@agent-marketplace/contract'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { NewId } from '../../platform/id/id.ts'
import { type IdentifiedNotice, reachesWebhooks } from '../../platform/notices/notice.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import { type DirectEvent, type EventType, eventIdOf, eventTypeOf, wantsEvent } from './rules.ts'
import { type DeliveryRow, insertDeliveries, type NewDelivery } from './sending/delivery-store.ts'
import { listReceivers, type WebhookRow } from './store.ts'

export const DELIVERY_TASK = 'webhook-delivery'

export interface OutboxDeps {
  clock: Clock
  newId: NewId
  queue: Pick<Queue, 'enqueueAll'>
}

type Receiver = Pick<WebhookRow, 'id' | 'ownerId'>

interface OwnedDelivery<Type extends EventType> {
  ownerId: string
  row: NewDelivery<Type>
}

interface NewEvent<Type extends EventType> {
  id: string
  type: Type
  body: string
}

export function createOutbox({ clock, newId, queue }: OutboxDeps) {
  /** The message is fixed here, once: every attempt and every receiver gets the same bytes. */
  function newEvent(
    type: WebhookEventType,
    data: (WebhookNotification | WebhookTest)['data'],
    id = newId(),
  ): NewEvent<WebhookEventType> {
    const body = JSON.stringify({ type, timestamp: clock.now().toISOString(), data })
    return { id: eventIdOf(id), type, body }
  }

  const deliveryOf = <Type extends EventType>(
    event: NewEvent<Type>,
    { id, ownerId }: Receiver,
    isOrdered = false,
  ): OwnedDelivery<Type> => ({
    ownerId,
    row: {
      id: newId(),
      webhookId: id,
      eventId: event.id,
      eventType: event.type,
      body: event.body,
      isOrdered,
      createdAt: clock.now(),
    },
  })

  async function send<Type extends EventType>(
    tx: Queryable,
    deliveries: readonly OwnedDelivery<Type>[],
  ): Promise<DeliveryRow<Type>[]> {
    const rows = await insertDeliveries(
      tx,
      deliveries.map(({ row }) => row),
    )
    const firstAttempts = deliveries.map(({ row, ownerId }) => ({ deliveryId: row.id, attempt: 1, ownerId }))
    await queueAttempts(tx, queue, firstAttempts)
    return rows
  }

  return {
    /** In the transaction that causes the notifications: the messages exist exactly if it commits. */
    async enqueueWebhookEvents(tx: Queryable, given: readonly IdentifiedNotice[]): Promise<void> {
      const notices = given.filter(reachesWebhooks)
      if (notices.length === 0) return
      const receivers = await listReceivers(tx, [...new Set(notices.map(({ ownerId }) => ownerId))])
      if (receivers.length === 0) return
      const deliveries = notices.flatMap((notice) => {
        const { id, ownerId, type: notificationType, title, message, link = null } = notice
        const type = eventTypeOf[notificationType]
        const event = newEvent(type, { notificationType, title, message, link }, id)
        return receivers
          .filter((receiver) => receiver.ownerId === ownerId && wantsEvent(receiver.events, type))
          .map((receiver) => deliveryOf(event, receiver))
      })
      if (deliveries.length > 0) await send(tx, deliveries)
    },

    /** To a receiver of another feature, which writes the body. */
    async sendDirect(
      tx: Queryable,
      receiver: Receiver,
      { type, body }: { type: DirectEvent; body: string },
    ): Promise<void> {
      await send(tx, [deliveryOf({ id: eventIdOf(newId()), type, body }, receiver)])
    },

    async sendTest(tx: Queryable, webhook: WebhookRow): Promise<DeliveryRow<WebhookEventType>> {
      const event = newEvent('webhook.test', { message: 'It works.' })
      return only(await send(tx, [deliveryOf(event, webhook, true)]))
    },

    /** The same event once more, in a delivery of its own, so that the log keeps both. */
    async sendAgain(
      tx: Queryable,
      webhook: WebhookRow,
      { eventId, eventType, body }: DeliveryRow<WebhookEventType>,
    ): Promise<DeliveryRow<WebhookEventType>> {
      const event = { id: eventId, type: eventType, body }
      return only(await send(tx, [deliveryOf(event, webhook, true)]))
    },
  }
}

export interface Attempt {
  deliveryId: string
  attempt: number
}

/** The key makes a second job for the same attempt pointless to add; the group lets no owner take all the lanes. */
export function queueAttempts(
  tx: Queryable,
  queue: Pick<Queue, 'enqueueAll'>,
  attempts: readonly (Attempt & { ownerId: string })[],
  startAfterSeconds?: number,
): Promise<void> {
  const delay = startAfterSeconds === undefined ? {} : { startAfterSeconds }
  const jobs = attempts.map(({ deliveryId, attempt, ownerId }) => ({
    payload: { deliveryId, attempt },
    group: ownerId,
    singletonKey: `${deliveryId}:${attempt}`,
    ...delay,
  }))
  return queue.enqueueAll(tx, DELIVERY_TASK, jobs)
}

function only<Row extends DeliveryRow>(rows: Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('A delivery that was inserted was not returned')
  return row
}
