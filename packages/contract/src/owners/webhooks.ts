import { Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byWholeAccount } from '../base/key-rules.ts'
import { IdParams, limitQuery, offsetQuery, oneOf, PathId, pageFields } from '../base/shapes.ts'
import {
  deliveryStatuses,
  Webhook,
  WebhookDelivery,
  WebhookDescription,
  WebhookEvents,
  WebhookUrl,
  WebhookWithSecret,
} from './webhook-records.ts'

const shared = { tag: 'Webhooks', access: 'owner', rate: 'api' } as const

export const createWebhook = defineEndpoint({
  ...shared,
  id: 'createWebhook',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/webhooks',
  summary: 'Add a webhook',
  description:
    'Events of your account are sent as signed POSTs; failed deliveries are retried with back-off for three days. Keep the secret: it is shown once.',
  body: oneForm(
    Type.Object({
      url: WebhookUrl,
      events: Type.Optional(WebhookEvents),
      description: Type.Optional(WebhookDescription),
    }),
  ),
  status: 201,
  response: oneForm(Type.Object({ data: WebhookWithSecret })),
  errors: ['CONFLICT'],
  examples: {
    body: {
      url: 'https://example.com/hooks/marketplace',
      events: ['job.funded', 'job.completed'],
      description: 'Accounting',
    },
  },
})

export const listWebhooks = defineEndpoint({
  ...shared,
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/webhooks',
  summary: 'List your webhooks',
  description: 'Oldest first, without their secrets.',
  status: 200,
  response: oneForm(Type.Object({ data: Type.Array(Webhook) })),
  errors: [],
})

export const updateWebhook = defineEndpoint({
  ...shared,
  id: 'updateWebhook',
  keys: byWholeAccount,
  method: 'PATCH',
  path: '/api/webhooks/{id}',
  summary: 'Change a webhook',
  description: 'Changes what is given and leaves the rest.',
  params: IdParams,
  body: oneForm(
    Type.Object(
      {
        url: Type.Optional(WebhookUrl),
        events: Type.Optional(WebhookEvents),
        description: Type.Optional(WebhookDescription),
        active: Type.Optional(Type.Boolean()),
      },
      { minProperties: 1 },
    ),
  ),
  status: 200,
  response: oneForm(Type.Object({ data: Webhook })),
  errors: ['NOT_FOUND'],
  examples: { body: { active: false } },
})

export const deleteWebhook = defineEndpoint({
  ...shared,
  id: 'deleteWebhook',
  keys: byWholeAccount,
  method: 'DELETE',
  path: '/api/webhooks/{id}',
  summary: 'Remove a webhook',
  description: 'Events that wait for another attempt are dropped.',
  params: IdParams,
  status: 200,
  response: oneForm(Type.Object({ data: Type.Object({ deleted: Type.Boolean() }) })),
  errors: ['NOT_FOUND'],
})

export const rotateWebhookSecret = defineEndpoint({
  ...shared,
  id: 'rotateWebhookSecret',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/webhooks/{id}/rotate-secret',
  summary: 'Get a new secret',
  description: 'For 24 hours each message is signed with the old and the new secret.',
  params: IdParams,
  status: 200,
  response: oneForm(Type.Object({ data: WebhookWithSecret })),
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const testWebhook = defineEndpoint({
  ...shared,
  id: 'testWebhook',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/webhooks/{id}/test',
  summary: 'Send a test event',
  description:
    'Queues a `webhook.test` event; its result shows in the deliveries. At most 10 a minute per account.',
  params: IdParams,
  status: 202,
  response: oneForm(Type.Object({ data: WebhookDelivery })),
  errors: ['NOT_FOUND'],
})

export const listWebhookDeliveries = defineEndpoint({
  ...shared,
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/api/webhooks/{id}/deliveries',
  summary: 'See what was sent',
  description: 'Newest first, kept for `WEBHOOK_LOG_DAYS` (30 by default).',
  params: IdParams,
  query: Type.Object({
    status: Type.Optional(oneOf(deliveryStatuses, { description: 'Only this status.' })),
    limit: limitQuery(50),
    offset: offsetQuery(),
  }),
  status: 200,
  response: oneForm(
    Type.Object({ data: Type.Object({ deliveries: Type.Array(WebhookDelivery), ...pageFields }) }),
  ),
  errors: ['NOT_FOUND'],
})

export const redeliverWebhook = defineEndpoint({
  ...shared,
  id: 'redeliverWebhook',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  summary: 'Send an event again',
  description:
    'With the same event id, so that a receiver can recognise it. At most 60 a minute per account.',
  params: Type.Object({ id: PathId, deliveryId: PathId }),
  status: 202,
  response: oneForm(Type.Object({ data: WebhookDelivery })),
  errors: ['NOT_FOUND'],
})
