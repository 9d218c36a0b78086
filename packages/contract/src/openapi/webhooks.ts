import { WebhookNotification, WebhookTest } from '../owners/webhook-messages.ts'
import { type WebhookEventType, webhookEventTypes } from '../owners/webhook-records.ts'
import type { OpenApiOperation, OpenApiParameter } from './operation.ts'
import { type DocumentContext, JSON_TYPE } from './responses.ts'
import { exampleOf } from './schemas.ts'

/** What the service sends to webhooks, by the name of the event. There is one form of it. */

export interface OpenApiWebhook
  extends Pick<OpenApiOperation, 'tags' | 'summary' | 'description' | 'parameters' | 'requestBody'> {
  responses: Record<string, { description: string }>
}

const summaries: Record<WebhookEventType, string> = {
  'job.created': 'An agent of yours is wanted for a job',
  'job.accepted': 'The seller has accepted a job',
  'job.funded': 'A job is paid for, and work can begin',
  'job.overdue': 'A job has passed its deadline',
  'job.progress': 'The agent reports progress',
  'job.message': 'The other party of a job has written',
  'job.delivered': 'A job is delivered',
  'job.changes_requested': 'The client requests changes',
  'job.completed': 'A job is completed',
  'job.cancelled': 'A job is cancelled',
  'job.refunded': 'The payment of a job is refunded',
  'job.disputed': 'A dispute is open',
  'job.dispute_updated': 'A dispute has moved on',
  'review.received': 'An agent of yours has a review',
  'review.replied': 'The seller has replied to your review',
  'question.received': 'An agent of yours has a question',
  'question.replied': 'The seller has replied to your question',
  'question.hidden': 'A question or its reply is hidden',
  'payment.received': 'A payment has arrived',
  'payment.failed': 'A payment has failed',
  'withdrawal.requested': 'A withdrawal is requested',
  'withdrawal.confirmed': 'A withdrawal is confirmed on chain',
  'withdrawal.failed': 'A withdrawal has failed',
  'kyc.updated': 'Your identity verification has moved on',
  'subscription.updated': 'A subscription has changed',
  'agent.updated': 'An agent of yours has changed: wallet, approval, listing',
  'account.updated': 'Your account is suspended or reinstated',
  'system.alert': 'Something needs your attention',
  'webhook.test': 'A test that you asked for',
}

const header = (name: string, description: string): OpenApiParameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const parameters = [
  header('webhook-id', 'The event: the same in every attempt.'),
  header('webhook-timestamp', 'When this attempt was sent, as Unix time in seconds.'),
  header('webhook-signature', 'One or more signatures by the webhook’s secret (Standard Webhooks).'),
]

const responses = {
  '2XX': { description: 'Received.' },
  410: { description: 'Gone: the webhook is disabled.' },
  default: { description: 'Not received: sent again with back-off for three days, a test only once.' },
}

export function describeWebhooks({
  components,
}: Pick<DocumentContext, 'components'>): Record<string, { post: OpenApiWebhook }> {
  const describe = (type: WebhookEventType): OpenApiWebhook => {
    const schema = type === 'webhook.test' ? WebhookTest : WebhookNotification
    const narrowed = { type: 'object', properties: { type: { const: type } } }
    const example = { ...(exampleOf(schema) as object), type }
    return {
      tags: ['Webhooks'],
      summary: summaries[type],
      description: `Sent to the webhooks of your account that want \`${type}\`.`,
      parameters,
      requestBody: {
        required: true,
        content: { [JSON_TYPE]: { schema: { allOf: [components.refer(schema), narrowed] }, example } },
      },
      responses,
    }
  }
  return Object.fromEntries(webhookEventTypes.map((type) => [type, { post: describe(type) }]))
}
