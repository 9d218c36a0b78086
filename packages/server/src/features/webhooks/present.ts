import type { AccountEvent, Webhook, WebhookDelivery, WebhookEventType } from '@agent-marketplace/contract'
import type { LoggedEvent } from './event-log.ts'
import type { DeliveryRow } from './sending/delivery-store.ts'
import type { WebhookRow } from './store.ts'

export function presentWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    description: row.description,
    active: row.isActive,
    createdAt: row.createdAt.toISOString(),
  }
}

export function presentDelivery(row: DeliveryRow<WebhookEventType>): WebhookDelivery {
  return {
    id: row.id,
    webhookId: row.webhookId,
    eventId: row.eventId,
    eventType: row.eventType,
    status: row.status,
    attempts: row.attempts,
    responseStatus: row.responseStatus,
    error: row.error,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}

export function presentEvent({ id, type, notification, deliveries }: LoggedEvent): AccountEvent {
  const { type: notificationType, title, message, link, createdAt } = notification
  return {
    id,
    type,
    createdAt: createdAt.toISOString(),
    data: { notificationType, title, message, link },
    deliveries: deliveries.map(presentDelivery),
  }
}
