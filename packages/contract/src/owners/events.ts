import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { cursorQuery, DateTime, limitQuery, NextCursor, oneOf } from '../base/shapes.ts'
import { NotificationData } from './webhook-messages.ts'
import { WebhookDelivery, webhookEventTypes } from './webhook-records.ts'

export const AccountEvent = Type.Object(
  {
    id: Type.String({
      description: 'The `webhook-id` of every message about it.',
      examples: ['evt_cmi0a1b2c3d4e5f6g7h8i9j0k'],
    }),
    type: oneOf(webhookEventTypes, { examples: ['job.funded'] }),
    createdAt: DateTime,
    data: NotificationData,
    deliveries: Type.Array(WebhookDelivery, {
      description: 'The ten newest, of all your webhooks; empty if it was sent to none.',
    }),
  },
  { title: 'AccountEvent' },
)
export type AccountEvent = Static<typeof AccountEvent>

export const listEvents = defineEndpoint({
  id: 'listEvents',
  method: 'GET',
  path: '/api/events',
  tag: 'Webhooks',
  summary: 'List the events of your account',
  description:
    'Everything that webhooks are sent, newest first, even if you have none, with their deliveries, kept for `WEBHOOK_LOG_DAYS` ' +
    '(30 by default). Use it to find what your program missed. Test events appear only in the deliveries of their webhook.',
  access: 'owner',
  rate: 'api',
  query: Type.Object({
    type: Type.Optional(oneOf(webhookEventTypes, { description: 'Only events of this type.' })),
    limit: limitQuery(50),
    cursor: cursorQuery(),
  }),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Array(AccountEvent), nextCursor: NextCursor })),
  errors: [],
})
