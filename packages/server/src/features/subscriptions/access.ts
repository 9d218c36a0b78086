import { FREE_TIER_AGENTS, type SubscriptionPlan } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { GIVE_UP_SECONDS } from './pulls/schedule.ts'

/**
 * What a subscription grants. Nothing before the first pull; then as long as it is paid, and while a late pull is still
 * being tried; after a cancellation until the end of what was paid.
 */
const hasAccess = (now: Date): Sql => sql`(
  status in ('ACTIVE', 'PAST_DUE') and current_period_end is not null
  or status = 'CANCELED' and current_period_end > ${now})`

/** How many agents an owner may run at once, and until when that is certain; null when no time is set. */
export interface AgentQuota {
  quota: number
  until: Date | null
}

/**
 * The largest of what the owner's subscriptions grant. After the end of the paid period, while its renewal is still being
 * tried, only the quota that was last paid for a whole period counts: an upgrade minutes before the end has bought minutes.
 */
export async function quotaOf(db: Queryable, ownerId: string, now: Date): Promise<AgentQuota> {
  const granted = await db.maybeOne<AgentQuota>(sql`
    select case when current_period_end > ${now} then s.agent_quota else whole.agent_quota end as quota,
      case when s.past_due_since is not null then s.past_due_since + make_interval(secs => ${GIVE_UP_SECONDS})
        when current_period_end > ${now} then current_period_end end as until
    from subscriptions s
    join lateral (
      select p.agent_quota from subscription_pulls u join spend_permissions p on p.hash = u.permission_hash
      where u.subscription_id = s.id and u.status = 'SETTLED' and u.kind <> 'UPGRADE'
      order by u.period_end desc limit 1) whole on true
    where s.owner_id = ${ownerId} and s.plan = 'AGENT_QUOTA' and ${hasAccess(now)}
    order by 1 desc, 2 desc limit 1`)
  return granted ?? { quota: FREE_TIER_AGENTS, until: null }
}

/** Whether one of these plans is open to the owner. */
export async function hasPlan(
  db: Queryable,
  { ownerId, plans, now }: { ownerId: string; plans: readonly SubscriptionPlan[]; now: Date },
): Promise<boolean> {
  const row = await db.maybeOne(sql`
    select 1 as open from subscriptions
    where owner_id = ${ownerId} and plan = any(${plans}::text[]) and ${hasAccess(now)} limit 1`)
  return row !== undefined
}

export const apiAccessPlans: readonly SubscriptionPlan[] = ['API_ACCESS', 'ENTERPRISE']
const premiumPlans: readonly SubscriptionPlan[] = ['PREMIUM_LISTING', 'ENTERPRISE']

export const isPremiumPlan = (plan: SubscriptionPlan): boolean => premiumPlans.includes(plan)

/** Until when the owner's agents are marked. A renewal is given its time, so that the mark does not flicker. */
export async function premiumUntilOf(db: Queryable, ownerId: string): Promise<Date | null> {
  const { until } = await db.one<{ until: Date | null }>(sql`
    select max(case when status = 'CANCELED' then current_period_end
      else current_period_end + make_interval(secs => ${GIVE_UP_SECONDS}) end) as until
    from subscriptions
    where owner_id = ${ownerId} and plan = any(${premiumPlans}::text[])
      and status in ('ACTIVE', 'PAST_DUE', 'CANCELED')`)
  return until
}
