import { formatMicro, type Subscription, type SubscriptionStatus } from '@agent-marketplace/contract'
import { writePermission } from './permission.ts'
import type { Quote } from './quote.ts'
import type { SubscriptionRow } from './store.ts'

/** One whose first pull failed never was one; to whoever holds its id it has ended. */
const statusOf = ({ status }: SubscriptionRow): SubscriptionStatus =>
  status === 'FAILED' ? 'CANCELED' : status

const timeOrNull = (time: Date | null): string | null => time?.toISOString() ?? null

export function presentSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    plan: row.plan,
    status: statusOf(row),
    agentQuota: row.agent_quota,
    paymentRail: 'ONCHAIN',
    subscriberAddress: row.account,
    currentPeriodEnd: timeOrNull(row.current_period_end),
    nextEligibleAt: timeOrNull(row.next_pull_at),
    lastPullAt: timeOrNull(row.last_pull_at),
    createdAt: row.created_at.toISOString(),
  }
}

export function presentOrdered(row: SubscriptionRow) {
  const { id, plan, status, paymentRail, nextEligibleAt } = presentSubscription(row)
  return { id, plan, status, paymentRail, nextEligibleAt }
}

export function presentQuote({ terms, isUpgrade, chargeNowMicro, permission, typedData }: Quote) {
  const types = Object.fromEntries(
    Object.entries(typedData.types).map(([name, fields]) => [name, [...fields]]),
  )
  return {
    plan: terms.plan,
    agentQuota: terms.agentQuota,
    upgrade: isUpgrade,
    price: formatMicro(terms.priceMicro),
    chargeNow: formatMicro(chargeNowMicro),
    permission: writePermission(permission),
    typedData: { ...typedData, types },
  }
}
