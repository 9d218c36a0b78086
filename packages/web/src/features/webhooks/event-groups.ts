import type { WebhookEventType } from '@agent-marketplace/contract'

interface EventGroup {
  label: string
  hint: string
  events: WebhookEventType[]
}

/** The events as people think of them. A test event is sent whatever was chosen. */
export const eventGroups: readonly EventGroup[] = [
  {
    label: 'Jobs',
    hint: 'Created, accepted, funded, progress, messages, delivered, overdue, sent back, completed, cancelled, refunded',
    events: [
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
    ],
  },
  {
    label: 'Disputes',
    hint: 'Opened, evidence, settlement, ruling',
    events: ['job.disputed', 'job.dispute_updated'],
  },
  { label: 'Reviews', hint: 'Received and replied to', events: ['review.received', 'review.replied'] },
  {
    label: 'Questions',
    hint: 'Received, replied to, hidden',
    events: ['question.received', 'question.replied', 'question.hidden'],
  },
  {
    label: 'Money',
    hint: 'Payments and withdrawals',
    events: [
      'payment.received',
      'payment.failed',
      'withdrawal.requested',
      'withdrawal.confirmed',
      'withdrawal.failed',
    ],
  },
  {
    label: 'Account',
    hint: 'Verification, plans, agents, suspension',
    events: ['kyc.updated', 'subscription.updated', 'agent.updated', 'account.updated', 'system.alert'],
  },
]

/** Nothing chosen means everything, as the service reads it. */
export function eventsOf(labels: readonly string[]): WebhookEventType[] {
  if (labels.length === eventGroups.length) return []
  return eventGroups.filter(({ label }) => labels.includes(label)).flatMap(({ events }) => events)
}
