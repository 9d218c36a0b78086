import { formatUsdcReadable } from '@agent-marketplace/contract'
import type { Notice } from '../../platform/notices/notice.ts'
import type { CancelReason } from './pulls/schedule.ts'
import type { PullRow } from './pulls/store.ts'
import type { SubscriptionRow } from './store.ts'

const link = '/sell/plans'

const dayOf = (time: Date | null): string => (time === null ? '' : time.toISOString().slice(0, 10))

function nameOf({ plan, agent_quota }: Pick<SubscriptionRow, 'plan' | 'agent_quota'>): string {
  if (plan === 'AGENT_QUOTA') return `AGENT_QUOTA plan for ${agent_quota} agents`
  return `${plan} plan`
}

export function settledNotice(subscription: SubscriptionRow, { kind, amount_micro }: PullRow): Notice {
  const { owner_id: ownerId, current_period_end } = subscription
  const paid = `${formatUsdcReadable(amount_micro)} USDC were pulled for your ${nameOf(subscription)}`
  const message = `${paid}. It is paid until ${dayOf(current_period_end)}.`
  if (kind === 'UPGRADE') {
    return { ownerId, link, type: 'SUBSCRIPTION_UPGRADED', title: 'Subscription upgraded', message }
  }
  if (kind === 'RENEWAL') {
    return { ownerId, link, type: 'SUBSCRIPTION_RENEWED', title: 'Subscription renewed', message }
  }
  return { ownerId, link, type: 'SUBSCRIPTION_ACTIVE', title: 'Subscription active', message }
}

/** The first pull, or the one for an upgrade: nothing was charged and nothing changes. */
export function refusedNotice(subscription: SubscriptionRow, { kind, amount_micro }: PullRow): Notice {
  const what = kind === 'UPGRADE' ? 'The upgrade of your' : 'Your'
  return {
    ownerId: subscription.owner_id,
    link,
    type: 'PAYMENT_FAILED',
    title: 'Payment failed',
    message: `${what} ${nameOf(subscription)} could not be paid: ${formatUsdcReadable(amount_micro)} USDC could not be pulled. Nothing was charged.`,
  }
}

export function pastDueNotice(subscription: SubscriptionRow, nextRetryAt: Date | null): Notice {
  const next =
    nextRetryAt === null
      ? 'There is no further try: it ends soon unless you subscribe again.'
      : `The next try is on ${nextRetryAt.toISOString().slice(0, 16).replace('T', ' at ')} UTC.`
  return {
    ownerId: subscription.owner_id,
    link,
    type: 'SUBSCRIPTION_PAST_DUE',
    title: 'Subscription past due',
    message: `${formatUsdcReadable(subscription.price_micro)} USDC for your ${nameOf(subscription)} could not be pulled. ${next}`,
  }
}

const canceledBecause: Record<CancelReason, string> = {
  ASKED: 'is canceled as you asked',
  EXPIRED: 'has ended: the spend permission has run out',
  UNPAID: 'has ended: it could not be paid for seven days',
  REVOKED: 'is canceled: the spend permission was revoked',
}

export function canceledNotice(subscription: SubscriptionRow, reason: CancelReason, now: Date): Notice {
  const { owner_id: ownerId, current_period_end } = subscription
  const isOpen = current_period_end !== null && current_period_end > now
  const rest = isOpen ? ` It stays open until ${dayOf(current_period_end)}.` : ''
  return {
    ownerId,
    link,
    type: 'SUBSCRIPTION_CANCELED',
    title: 'Subscription canceled',
    message: `Your ${nameOf(subscription)} ${canceledBecause[reason]}.${rest}`,
  }
}
