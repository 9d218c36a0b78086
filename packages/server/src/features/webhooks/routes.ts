import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import { presentDelivery, presentWebhook } from './present.ts'
import type { WebhooksService } from './service.ts'

export function webhooksRoutes({ webhooks }: { webhooks: WebhooksService }): Route[] {
  return [
    route(createWebhook, ({ principal, body, transaction }) =>
      transaction(async (tx) => {
        const { row, secret } = await webhooks.create(tx, principal.ownerId, body)
        return { data: { ...presentWebhook(row), secret } }
      }),
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

    route(rotateWebhookSecret, ({ principal, params, transaction }) =>
      transaction(async (tx) => {
        const own = { id: params.id, ownerId: principal.ownerId }
        const { row, secret } = await webhooks.rotateSecret(tx, own)
        return { data: { ...presentWebhook(row), secret } }
      }),
    ),

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
  ]
}
