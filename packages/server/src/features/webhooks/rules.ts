import {
  AppError,
  jobOfPage,
  type NotificationType,
  type WebhookDelivery,
  type WebhookEventType,
} from '@agent-marketplace/contract'
import { addSeconds } from '../../platform/clock/clock.ts'
import type { Notice } from '../../platform/notices/notice.ts'
import type { SendResult } from './sending/send-message.ts'

const MAX_WEBHOOKS = 10

/** What direct receivers are sent; after the last one nothing follows. */
export type DirectEvent = 'direct' | 'direct.last'
export type EventType = WebhookEventType | DirectEvent

/** The pauses before each further attempt: quick at first, for three days in all. */
export const RETRY_DELAYS_SECONDS = [30, 120, 600, 3_600, 21_600, 86_400, 86_400, 57_600] as const

/** The webhook event for a notification. */
export const eventTypeOf: Record<NotificationType, WebhookEventType> = {
  WALLET_PROVISIONED: 'agent.updated',
  PAYMENT_RECEIVED: 'payment.received',
  PAYMENT_FAILED: 'payment.failed',
  WITHDRAWAL_REQUESTED: 'withdrawal.requested',
  WITHDRAWAL_CONFIRMED: 'withdrawal.confirmed',
  WITHDRAWAL_FAILED: 'withdrawal.failed',
  JOB_CREATED: 'job.created',
  JOB_ACCEPTED: 'job.accepted',
  JOB_FUNDED: 'job.funded',
  JOB_OVERDUE: 'job.overdue',
  JOB_PROGRESS: 'job.progress',
  JOB_MESSAGE: 'job.message',
  JOB_DELIVERED: 'job.delivered',
  JOB_COMPLETED: 'job.completed',
  JOB_CANCELLED: 'job.cancelled',
  JOB_REFUNDED: 'job.refunded',
  JOB_DISPUTED: 'job.disputed',
  CHANGES_REQUESTED: 'job.changes_requested',
  DISPUTE_UPDATED: 'job.dispute_updated',
  REVIEW_RECEIVED: 'review.received',
  REVIEW_REPLIED: 'review.replied',
  QUESTION_RECEIVED: 'question.received',
  QUESTION_REPLIED: 'question.replied',
  QUESTION_HIDDEN: 'question.hidden',
  KYC_STARTED: 'kyc.updated',
  KYC_VERIFIED: 'kyc.updated',
  KYC_REJECTED: 'kyc.updated',
  KYC_FEE_PAID: 'kyc.updated',
  SUBSCRIPTION_ACTIVE: 'subscription.updated',
  SUBSCRIPTION_RENEWED: 'subscription.updated',
  SUBSCRIPTION_UPGRADED: 'subscription.updated',
  SUBSCRIPTION_PAST_DUE: 'subscription.updated',
  SUBSCRIPTION_CANCELED: 'subscription.updated',
  AGENT_APPROVED: 'agent.updated',
  AGENT_REJECTED: 'agent.updated',
  AGENT_PAUSED: 'agent.updated',
  AGENT_RESUMED: 'agent.updated',
  AGENT_UNLISTED: 'agent.updated',
  AGENT_RELISTED: 'agent.updated',
  ACCOUNT_SUSPENDED: 'account.updated',
  ACCOUNT_REINSTATED: 'account.updated',
  SYSTEM_ALERT: 'system.alert',
}

/** The notifications that become an event of this type, or any event. */
export const notificationTypesOf = (type: WebhookEventType | undefined): string[] =>
  Object.entries(eventTypeOf).flatMap(([notificationType, event]) =>
    type === undefined || event === type ? notificationType : [],
  )

export const isNotificationType = (type: string): type is NotificationType => Object.hasOwn(eventTypeOf, type)

export const eventIdOf = (id: string): string => `evt_${id}`

/** The jobs that notices are about, by their pages. */
export function jobsIn(notices: readonly Pick<Notice, 'link'>[]): string[] {
  const found = notices.map(({ link = '' }) => jobOfPage(link))
  return [...new Set(found.filter((id) => id !== undefined))]
}

export function wantsEvent(events: readonly string[], type: WebhookEventType): boolean {
  return events.length === 0 || events.includes(type)
}

export function checkRoom(count: number): void {
  if (count < MAX_WEBHOOKS) return
  throw new AppError('CONFLICT', { message: `An account has at most ${MAX_WEBHOOKS} webhooks.` })
}

export interface Verdict {
  status: WebhookDelivery['status']
  responseStatus: number | null
  error: string | null
  retryAfterSeconds: number | undefined
  nextAttemptAt: Date | null
}

/** How an attempt went, and what follows from it. A test event is tried once: somebody is waiting for its response. */
export function judge(
  result: SendResult,
  { eventType, attempt, now }: { eventType: EventType; attempt: number; now: Date },
): Verdict {
  const responseStatus = result.kind === 'response' ? result.status : null
  if (result.kind === 'response' && result.status >= 200 && result.status < 300) {
    return {
      status: 'DELIVERED',
      responseStatus,
      error: null,
      retryAfterSeconds: undefined,
      nextAttemptAt: null,
    }
  }
  const error = result.kind === 'failure' ? result.why : refusalOf(result)
  const isOver = eventType === 'webhook.test' || isGone(responseStatus)
  const retryAfterSeconds = isOver ? undefined : RETRY_DELAYS_SECONDS[attempt - 1]
  const nextAttemptAt = retryAfterSeconds === undefined ? null : addSeconds(now, retryAfterSeconds)
  const status = nextAttemptAt === null ? 'FAILED' : 'PENDING'
  return { status, responseStatus, error, retryAfterSeconds, nextAttemptAt }
}

/** The receiver reports that it is gone. */
export function isGone(responseStatus: number | null): boolean {
  return responseStatus === 410
}

function refusalOf({ status, excerpt }: { status: number; excerpt: string }): string {
  const said = `The receiver returned ${status}`
  return excerpt === '' ? `${said}.` : `${said}: ${excerpt}`
}

/** After days of trying without a single success there is no one to send to. */
export function isGivenUp(
  verdict: Verdict,
  delivery: { eventType: EventType; createdAt: Date; lastDeliveredAt: Date | null },
): boolean {
  if (verdict.status !== 'FAILED' || delivery.eventType === 'webhook.test') return false
  const { lastDeliveredAt: lastAt, createdAt } = delivery
  return isGone(verdict.responseStatus) || lastAt === null || lastAt < createdAt
}
