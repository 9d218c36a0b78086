import { type Static, Type } from 'typebox'
import { DateTime, nullableString, oneOf } from '../base/shapes.ts'
import { webhookEventTypes } from './webhook-records.ts'

/** The bodies that are sent to webhooks. */

const envelope = {
  type: oneOf(webhookEventTypes, { examples: ['job.funded'] }),
  timestamp: DateTime,
}

export const NotificationData = Type.Object({
  notificationType: Type.String({
    description: 'The type of the notification, as in your feed.',
    examples: ['JOB_FUNDED'],
  }),
  title: Type.String({ examples: ['Job funded'] }),
  message: Type.String({ examples: ['The escrow holds 150.00 USDC.'] }),
  link: nullableString({
    description: 'The page that it is about, as a path of this site.',
    examples: ['/jobs/cmi0a1b2c3d4e5f6g7h8i9j0k'],
  }),
})

export const WebhookNotification = Type.Object(
  { ...envelope, data: NotificationData },
  { title: 'WebhookNotification' },
)
export type WebhookNotification = Static<typeof WebhookNotification>

export const WebhookTest = Type.Object(
  { ...envelope, data: Type.Object({ message: Type.String({ examples: ['It works.'] }) }) },
  { title: 'WebhookTest' },
)
export type WebhookTest = Static<typeof WebhookTest>
