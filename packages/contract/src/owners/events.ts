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
      description: 'The newest ten, of all your webhooks; none where no webhook wanted it.',
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
    'Newest first: what webhooks are sent, whether or not you have one, with their deliveries of the last 30 days. A program ' +
    'that was away reads here what it missed. Test events are only in the deliveries of their webhook.',
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
