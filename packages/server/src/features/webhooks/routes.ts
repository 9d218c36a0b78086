import {
  createWebhook,
  deleteWebhook,
  listEvents,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@agent-marketplace/contract'
import { type ResponseOf, type Result, type Route, route, withValue } from '../../platform/http/call.ts'
import type { EventLog } from './event-log.ts'
import { presentDelivery, presentEvent, presentWebhook } from './present.ts'
import type { WebhooksService } from './service.ts'
import type { WebhookRow } from './store.ts'

type WithSecret = ResponseOf<typeof createWebhook>

interface RoutesDeps {
  webhooks: WebhooksService
  eventLog: EventLog
}

export function webhooksRoutes({ webhooks, eventLog }: RoutesDeps): Route[] {
  /** A response is kept under the caller's Idempotency-Key: what is kept has the secret sealed, as the database has it. */
  const seal = (row: WebhookRow): WithSecret => ({
    data: { ...presentWebhook(row), secret: row.sealedSecret },
  })
  const unseal = (kept: Result<typeof createWebhook>): Result<typeof createWebhook> =>
    withValue(kept, ({ data }) => ({
      data: { ...data, secret: webhooks.openSecret(data.secret, data.id) },
    }))

  return [
    route(createWebhook, async ({ principal, body, transaction }) =>
      unseal(await transaction(async (tx) => seal(await webhooks.create(tx, principal.ownerId, body)))),
    ),

    route(listWebhooks, async ({ principal }) => ({
      data: (await webhooks.list(principal.ownerId)).map(presentWebhook),
    })),

    route(updateWebhook, ({ principal, params, body, transaction }) =>
      transaction(async (tx) => ({
        data: presentWebhook(await webhooks.update(tx, { id: params.id, ownerId: principal.ownerId }, body)),
      })),
    ),

    route(deleteWebhook, ({ principal, params, transaction }) =>
      transaction(async (tx) => {
        await webhooks.remove(tx, { id: params.id, ownerId: principal.ownerId })
        return { data: { deleted: true } }
      }),
    ),

    route(rotateWebhookSecret, async ({ principal, params, transaction }) => {
      const own = { id: params.id, ownerId: principal.ownerId }
      return unseal(await transaction(async (tx) => seal(await webhooks.rotateSecret(tx, own))))
    }),

    route(testWebhook, ({ principal, params, transaction }) =>
      transaction(async (tx) => ({
        data: presentDelivery(await webhooks.sendTest(tx, { id: params.id, ownerId: principal.ownerId })),
      })),
    ),

    route(listWebhookDeliveries, async ({ principal, params, query }) => {
      const { status, limit = 50, offset = 0 } = query
      const own = { id: params.id, ownerId: principal.ownerId }
      const { rows, total } = await webhooks.listDeliveries(own, { status, limit, offset })
      return { data: { deliveries: rows.map(presentDelivery), total, limit, offset } }
    }),

    route(redeliverWebhook, ({ principal, params, transaction }) =>
      transaction(async (tx) => {
        const own = { id: params.id, ownerId: principal.ownerId }
        return { data: presentDelivery(await webhooks.redeliver(tx, own, params.deliveryId)) }
      }),
    ),

    route(listEvents, async ({ principal: { ownerId }, query }) => {
      const { type, limit = 50, cursor } = query
      const { events, nextCursor } = await eventLog.list({ ownerId, type }, { limit, cursor })
      return { data: events.map(presentEvent), nextCursor }
    }),
  ]
}
