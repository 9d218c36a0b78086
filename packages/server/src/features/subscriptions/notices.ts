import { formatUsdcReadable } from '@agent-marketplace/contract'
import type { Notice } from '../../platform/notices/notice.ts'
import type { CancelReason } from './pulls/schedule.ts'
import type { PullRow } from './pulls/store.ts'
import type { SubscriptionRow } from './store.ts'

const link = '/sell/plans'

const dayOf = (time: Date | null): string => (time === null ? '' : time.toISOString().slice(0, 10))

function nameOf({ plan, agentQuota }: Pick<SubscriptionRow, 'plan' | 'agentQuota'>): string {
  if (plan === 'AGENT_QUOTA') return `AGENT_QUOTA plan for ${agentQuota} agents`
  return `${plan} plan`
}

export function paidNotice(subscription: SubscriptionRow, { kind, amountMicro }: PullRow): Notice {
  const { ownerId, currentPeriodEnd } = subscription
  const paid = `${formatUsdcReadable(amountMicro)} USDC were pulled for your ${nameOf(subscription)}`
  const message = `${paid}. It is paid until ${dayOf(currentPeriodEnd)}.`
  if (kind === 'UPGRADE') {
    return { ownerId, link, type: 'SUBSCRIPTION_UPGRADED', title: 'Subscription upgraded', message }
  }
  if (kind === 'RENEWAL') {
    return { ownerId, link, type: 'SUBSCRIPTION_RENEWED', title: 'Subscription renewed', message }
  }
  return { ownerId, link, type: 'SUBSCRIPTION_ACTIVE', title: 'Subscription active', message }
}

/** The first pull, or the one for an upgrade: nothing was charged and nothing changes. */
export function refusedNotice(subscription: SubscriptionRow, { kind, amountMicro }: PullRow): Notice {
  const what = kind === 'UPGRADE' ? 'The upgrade of your' : 'Your'
  return {
    ownerId: subscription.ownerId,
    link,
    type: 'PAYMENT_FAILED',
    title: 'Payment failed',
    message: `${what} ${nameOf(subscription)} could not be paid: ${formatUsdcReadable(amountMicro)} USDC could not be pulled. Nothing was charged.`,
  }
}

export function pastDueNotice(subscription: SubscriptionRow, nextRetryAt: Date | null): Notice {
  const next =
    nextRetryAt === null
      ? 'There is no further try: it ends soon unless you subscribe again.'
      : `The next try is on ${nextRetryAt.toISOString().slice(0, 16).replace('T', ' at ')} UTC.`
  return {
    ownerId: subscription.ownerId,
    link,
    type: 'SUBSCRIPTION_PAST_DUE',
    title: 'Subscription past due',
    message: `${formatUsdcReadable(subscription.priceMicro)} USDC for your ${nameOf(subscription)} could not be pulled. ${next}`,
  }
}

const canceledBecause: Record<CancelReason, string> = {
  ASKED: 'is cancelled as you asked',
  EXPIRED: 'has ended: the spend permission has run out',
  UNPAID: 'has ended: it could not be paid for seven days',
  REVOKED: 'is cancelled: the spend permission was revoked',
}

export function canceledNotice(subscription: SubscriptionRow, reason: CancelReason, now: Date): Notice {
  const { ownerId, currentPeriodEnd } = subscription
  const isOpen = currentPeriodEnd !== null && currentPeriodEnd > now
  const rest = isOpen ? ` It stays open until ${dayOf(currentPeriodEnd)}.` : ''
  return {
    ownerId,
    link,
    type: 'SUBSCRIPTION_CANCELED',
    title: 'Subscription cancelled',
    message: `Your ${nameOf(subscription)} ${canceledBecause[reason]}.${rest}`,
  }
}
