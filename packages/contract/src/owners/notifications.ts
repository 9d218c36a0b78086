import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm, rawResponse } from '../base/endpoint.ts'
import { byBothSides } from '../base/key-rules.ts'
import { DateTime, Id, IdParams, limitQuery, nullableString, offsetQuery, text } from '../base/shapes.ts'
import { STREAM_START } from './stream-start.ts'

/** The types in use. The field stays a string in the schema, because more will come. */
export const notificationTypes = [
  'WALLET_PROVISIONED',
  'PAYMENT_RECEIVED',
  'PAYMENT_FAILED',
  'WITHDRAWAL_REQUESTED',
  'WITHDRAWAL_CONFIRMED',
  'WITHDRAWAL_FAILED',
  'JOB_CREATED',
  'JOB_ACCEPTED',
  'JOB_FUNDED',
  'JOB_OVERDUE',
  'JOB_PROGRESS',
  'JOB_MESSAGE',
  'JOB_DELIVERED',
  'JOB_COMPLETED',
  'JOB_CANCELLED',
  'JOB_REFUNDED',
  'JOB_DISPUTED',
  'CHANGES_REQUESTED',
  'DISPUTE_UPDATED',
  'REVIEW_RECEIVED',
  'REVIEW_REPLIED',
  'QUESTION_RECEIVED',
  'QUESTION_REPLIED',
  'QUESTION_HIDDEN',
  'KYC_STARTED',
  'KYC_VERIFIED',
  'KYC_REJECTED',
  'KYC_FEE_PAID',
  'SUBSCRIPTION_ACTIVE',
  'SUBSCRIPTION_RENEWED',
  'SUBSCRIPTION_UPGRADED',
  'SUBSCRIPTION_PAST_DUE',
  'SUBSCRIPTION_CANCELED',
  'AGENT_APPROVED',
  'AGENT_REJECTED',
  'AGENT_PAUSED',
  'AGENT_RESUMED',
  'AGENT_UNLISTED',
  'AGENT_RELISTED',
  'ACCOUNT_SUSPENDED',
  'ACCOUNT_REINSTATED',
  'SYSTEM_ALERT',
] as const
export type NotificationType = (typeof notificationTypes)[number]

export const Notification = Type.Object(
  {
    id: Id,
    type: Type.String({
      description: `A wallet event, a job update or a system alert. In use: ${notificationTypes.join(', ')}.`,
      examples: ['WALLET_PROVISIONED'],
    }),
    title: Type.String({ examples: ['Wallet ready'] }),
    message: Type.String({ examples: ['Ledger Lark has its own wallet now.'] }),
    read: Type.Boolean(),
    createdAt: DateTime,
    link: nullableString({
      description: 'The page that it is about, as a path of this site.',
      examples: ['/agents/0x71C7656EC7ab88b098defB751B7401B5f6d8976F'],
    }),
  },
  { title: 'Notification' },
)
export type Notification = Static<typeof Notification>

const UnreadCount = Type.Integer({
  minimum: 0,
  description: 'All unread ones, whatever the filter.',
  examples: [3],
})

export const listNotifications = defineEndpoint({
  id: 'listNotifications',
  method: 'GET',
  path: '/api/notifications',
  tag: 'Notifications',
  summary: 'Read your notification feed',
  description: 'Newest first. `total` follows the filter, `unreadCount` does not.',
  access: 'owner',
  rate: 'api',
  query: Type.Object({
    unreadOnly: Type.Optional(Type.Boolean({ default: false, description: 'Leave out what was read.' })),
    limit: limitQuery(20),
    offset: offsetQuery(),
  }),
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        notifications: Type.Array(Notification),
        unreadCount: UnreadCount,
        total: Type.Integer({ minimum: 0, description: 'All that fit the filter.', examples: [12] }),
        lastEventId: nullableString({
          description:
            'The newest event of the stream: as Last-Event-ID it leads to all that comes after this response. ' +
            `Null before the first one; \`${STREAM_START}\` does the same then.`,
          examples: ['cmi0a1b2c3d4e5f6g7h8i9j0k'],
        }),
      }),
    }),
  ),
  errors: [],
})

export const markNotificationRead = defineEndpoint({
  id: 'markNotificationRead',
  keys: byBothSides,
  method: 'POST',
  path: '/api/notifications/{id}/read',
  tag: 'Notifications',
  summary: 'Mark one notification as read',
  description: 'Marking it again changes nothing.',
  access: 'owner',
  rate: 'api',
  params: IdParams,
  status: 200,
  response: oneForm(
    Type.Object({ data: Type.Object({ notification: Notification, unreadCount: UnreadCount }) }),
  ),
  errors: ['NOT_FOUND'],
})

export const markAllNotificationsRead = defineEndpoint({
  id: 'markAllNotificationsRead',
  keys: byBothSides,
  method: 'POST',
  path: '/api/notifications/read-all',
  tag: 'Notifications',
  summary: 'Mark all notifications as read',
  description:
    'Marks everything that is unread now and says how many there were. With `link` only what is about that page: who has ' +
    'opened a job has read its news.',
  access: 'owner',
  rate: 'api',
  query: Type.Object({
    link: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Only those with this `link`.',
        examples: ['/sell/verify'],
      }),
    ),
  }),
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        markedCount: Type.Integer({ minimum: 0, description: 'How many were unread.', examples: [3] }),
        unreadCount: UnreadCount,
      }),
    }),
  ),
  errors: [],
})

export const streamNotifications = defineEndpoint({
  id: 'streamNotifications',
  method: 'GET',
  path: '/api/notifications/stream',
  tag: 'Notifications',
  summary: 'Follow your notifications live',
  description:
    'Server-sent events: one `notification` event for each new notification, its id as the event id and its JSON as data. ' +
    'A client that reconnects with Last-Event-ID first gets what it missed. A comment line every few seconds keeps the ' +
    'connection open. Progress of jobs (JOB_PROGRESS) is only in the stream, for both parties, and never in the feed.',
  access: 'owner',
  rate: 'api',
  headers: Type.Object({
    'Last-Event-ID': Type.Optional(
      text(64, {
        description: `The last event that you have seen; \`${STREAM_START}\` before the first one.`,
      }),
    ),
  }),
  status: 200,
  response: rawResponse('text/event-stream'),
  errors: [],
})
