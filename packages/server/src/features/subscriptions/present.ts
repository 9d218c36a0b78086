import { formatMicro, type Subscription, type SubscriptionStatus } from '@agent-marketplace/contract'
import type { AgentQuota } from './access.ts'
import { writePermission } from './permission.ts'
import type { Quote } from './quote.ts'
import type { SubscriptionRow } from './store.ts'

/** One whose first pull failed never started; read by id, it has ended. */
const statusOf = ({ status }: SubscriptionRow): SubscriptionStatus =>
  status === 'FAILED' ? 'CANCELED' : status

const timeOrNull = (time: Date | null): string | null => time?.toISOString() ?? null

export function presentSubscription(row: SubscriptionRow, granted: AgentQuota): Subscription {
  const isQuota = row.plan === 'AGENT_QUOTA'
  return {
    id: row.id,
    plan: row.plan,
    status: statusOf(row),
    agentQuota: row.agentQuota,
    effectiveQuota: isQuota ? granted.quota : null,
    effectiveQuotaUntil: isQuota ? timeOrNull(granted.until) : null,
    paymentRail: 'ONCHAIN',
    subscriberAddress: row.account,
    currentPeriodEnd: timeOrNull(row.currentPeriodEnd),
    nextEligibleAt: timeOrNull(row.nextPullAt),
    lastPullAt: timeOrNull(row.lastPullAt),
    createdAt: row.createdAt.toISOString(),
  }
}

export function presentOrdered(row: SubscriptionRow) {
  const { id, plan } = row
  const nextEligibleAt = timeOrNull(row.nextPullAt)
  return { id, plan, status: statusOf(row), paymentRail: 'ONCHAIN' as const, nextEligibleAt }
}

export function presentQuote({ terms, isUpgrade, chargeNowMicro, permission, typedData, payer }: Quote) {
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
    payer,
  }
}
