import { AppError, type WebhookEventType } from '@agent-marketplace/contract'
import { addSeconds } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { newSecret } from '../../platform/outbound/signature.ts'
import { OLD_SECRET_SECONDS, openNewSecret } from '../../platform/outbound/signing-secrets.ts'
import { checkUrl } from '../../platform/outbound/target-url.ts'
import { createDirectReceivers } from './direct-receivers.ts'
import { checkOrderLimit, ORDER_WINDOW_SECONDS, type OrderLimit, REDELIVERIES, TESTS } from './order-limit.ts'
import { createOutbox, type OutboxDeps } from './outbox.ts'
import { checkRoom } from './rules.ts'
import { createDeliveries, type DeliveriesDeps, SWITCHED_OFF } from './sending/deliveries.ts'
import {
  countDeliveries,
  countOrdered,
  type DeliveryPage,
  type DeliveryRow,
  dropWaiting,
  findDelivery,
  listDeliveries,
} from './sending/delivery-store.ts'
import { createSender } from './sending/send-message.ts'
import type { WebhookChanges, WebhookRow } from './store.ts'
import * as store from './store.ts'

/**
 * Webhooks. It promises: an event is sent if and only if its transaction commits, with the same id
 * and bytes each time, at least once or until three days of trying are over; nobody sees or moves another owner's;
 * and no URL makes this service call anything but the public internet.
 */
export interface WebhooksDeps extends Omit<DeliveriesDeps, 'send'>, OutboxDeps {
  queue: OutboxDeps['queue']
  clock: OutboxDeps['clock']
  /** Lets http and loopback addresses pass: the sandbox only. */
  allowsLocal: boolean
  /** Deliveries before it are not shown; undefined shows all. */
  logSince: () => Date | undefined
  /** How long a receiver may take for its response. */
  timeoutMs?: number | undefined
}

export interface WebhookOwner {
  id: string
  ownerId: string
}

export function createWebhooksService(deps: WebhooksDeps) {
  const { db, clock, newId, sealer, allowsLocal, timeoutMs, logSince } = deps
  const outbox = createOutbox(deps)
  const deliveries = createDeliveries({ ...deps, send: createSender({ allowsLocal, timeoutMs }) })

  async function existing(queryable: Queryable, own: WebhookOwner): Promise<WebhookRow> {
    const row = await store.findWebhook(queryable, own)
    if (!row) throw new AppError('NOT_FOUND', { message: 'There is no such webhook.' })
    return row
  }

  async function checkOrders(tx: Transaction, ownerId: string, limit: OrderLimit): Promise<void> {
    await store.lockWebhooksOf(tx, ownerId)
    const now = clock.now()
    const since = addSeconds(now, -ORDER_WINDOW_SECONDS)
    checkOrderLimit(await countOrdered(tx, { ownerId, isTest: limit.isTest, since }), limit, now)
  }

  return {
    async create(
      tx: Transaction,
      ownerId: string,
      given: Pick<WebhookChanges, 'events' | 'description'> & { url: string },
    ): Promise<WebhookRow> {
      const url = checkUrl(given.url, { allowsLocal })
      await store.lockWebhooksOf(tx, ownerId)
      checkRoom(await store.countWebhooks(tx, ownerId))
      const id = newId()
      return store.insertWebhook(tx, {
        id,
        ownerId,
        url,
        events: [...(given.events ?? [])],
        description: given.description ?? '',
        sealedSecret: sealer.seal(newSecret(), id),
        createdAt: clock.now(),
      })
    },

    /** The secret leaves the service in the responses to its creation and its rotation, and nowhere else. */
    openSecret: (sealedSecret: string, webhookId: string) => openNewSecret(sealedSecret, webhookId, sealer),

    list: (ownerId: string) => store.listWebhooks(db, ownerId),

    async update(tx: Transaction, own: WebhookOwner, changes: WebhookChanges): Promise<WebhookRow> {
      await existing(tx, own)
      const url = changes.url === undefined ? undefined : checkUrl(changes.url, { allowsLocal })
      await store.lockWebhook(tx, own.id)
      const row = await store.saveChanges(tx, own.id, { ...changes, url })
      if (!row.isActive) await dropWaiting(tx, own.id, SWITCHED_OFF)
      return row
    },

    async remove(tx: Transaction, own: WebhookOwner): Promise<void> {
      await existing(tx, own)
      await store.deleteWebhook(tx, own)
    },

    async rotateSecret(tx: Transaction, own: WebhookOwner): Promise<WebhookRow> {
      await existing(tx, own)
      const oldUntil = addSeconds(clock.now(), OLD_SECRET_SECONDS)
      return store.saveSecret(tx, own.id, { sealed: sealer.seal(newSecret(), own.id), oldUntil })
    },

    /** What the owner orders is sent also while the webhook is switched off: that is how one tries a repair. */
    async sendTest(tx: Transaction, own: WebhookOwner): Promise<DeliveryRow<WebhookEventType>> {
      const webhook = await existing(tx, own)
      await checkOrders(tx, own.ownerId, TESTS)
      return outbox.sendTest(tx, webhook)
    },

    async redeliver(
      tx: Transaction,
      own: WebhookOwner,
      deliveryId: string,
    ): Promise<DeliveryRow<WebhookEventType>> {
      const webhook = await existing(tx, own)
      const delivery = await findDelivery(tx, { id: deliveryId, webhookId: own.id, since: logSince() })
      if (!delivery) throw new AppError('NOT_FOUND', { message: 'There is no such delivery.' })
      await checkOrders(tx, own.ownerId, REDELIVERIES)
      return outbox.sendAgain(tx, webhook, delivery)
    },

    async listDeliveries(
      own: WebhookOwner,
      page: Omit<DeliveryPage, 'webhookId' | 'since'>,
    ): Promise<{ rows: DeliveryRow<WebhookEventType>[]; total: number }> {
      await existing(db, own)
      const filter = { ...page, webhookId: own.id, since: logSince() }
      const [rows, total] = await Promise.all([listDeliveries(db, filter), countDeliveries(db, filter)])
      return { rows, total }
    },

    direct: createDirectReceivers({ ...deps, outbox }),
    enqueueWebhookEvents: outbox.enqueueWebhookEvents,
    attempt: deliveries.attempt,
    keepUp: deliveries.keepUp,
  }
}

export type WebhooksService = ReturnType<typeof createWebhooksService>
