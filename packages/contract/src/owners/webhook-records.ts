import { type Static, Type } from 'typebox'
import { URL_MAX_LENGTH, WEBHOOK_DESCRIPTION_MAX_LENGTH } from '../base/lengths.ts'
import { DateTime, Id, nullableDateTime, nullableInteger, nullableString, oneOf } from '../base/shapes.ts'

export const webhookEventTypes = [
  'job.created',
  'job.accepted',
  'job.funded',
  'job.overdue',
  'job.progress',
  'job.message',
  'job.delivered',
  'job.changes_requested',
  'job.completed',
  'job.cancelled',
  'job.refunded',
  'job.disputed',
  'job.dispute_updated',
  'review.received',
  'review.replied',
  'question.received',
  'question.replied',
  'question.hidden',
  'payment.received',
  'payment.failed',
  'withdrawal.requested',
  'withdrawal.confirmed',
  'withdrawal.failed',
  'kyc.updated',
  'subscription.updated',
  'agent.updated',
  'account.updated',
  'system.alert',
  'webhook.test',
] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]

export const WebhookUrl = Type.String({
  maxLength: URL_MAX_LENGTH,
  pattern: '^https?://[^\\s]+$',
  description: 'Where events are sent. Private and local addresses are refused.',
  examples: ['https://example.com/hooks/marketplace'],
})
export const WebhookEvents = Type.Array(oneOf(webhookEventTypes), {
  maxItems: webhookEventTypes.length,
  uniqueItems: true,
  description: 'Which events to send. Empty: all.',
  examples: [['job.funded', 'job.completed']],
})
export const WebhookDescription = Type.String({
  maxLength: WEBHOOK_DESCRIPTION_MAX_LENGTH,
  examples: ['Accounting'],
})

const webhookFields = {
  id: Id,
  url: WebhookUrl,
  events: WebhookEvents,
  description: WebhookDescription,
  active: Type.Boolean({ description: 'An inactive webhook gets nothing.' }),
  createdAt: DateTime,
}

export const Webhook = Type.Object(webhookFields, { title: 'Webhook' })
export type Webhook = Static<typeof Webhook>

export const WebhookWithSecret = Type.Object(
  {
    ...webhookFields,
    secret: Type.String({
      description: 'Signs each message (Standard Webhooks). It is shown only here.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    }),
  },
  { title: 'WebhookWithSecret' },
)

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED'] as const

export const WebhookDelivery = Type.Object(
  {
    id: Id,
    webhookId: Id,
    eventId: Type.String({
      description: 'The `webhook-id` header: the same on every attempt.',
      examples: ['evt_9f86d081884c7d65'],
    }),
    eventType: oneOf(webhookEventTypes),
    status: oneOf(deliveryStatuses, { examples: ['DELIVERED'] }),
    attempts: Type.Integer({ minimum: 0, examples: [1] }),
    responseStatus: nullableInteger({ description: 'The HTTP status of the last attempt.', examples: [200] }),
    error: nullableString({ description: 'Why the last attempt failed.' }),
    nextAttemptAt: nullableDateTime('When it is tried again.'),
    createdAt: DateTime,
  },
  { title: 'WebhookDelivery' },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>
