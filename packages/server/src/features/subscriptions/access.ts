import { FREE_TIER_AGENTS, type SubscriptionPlan } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { GIVE_UP_SECONDS } from './schedule.ts'

/**
 * What a subscription opens. Nothing before the first pull; then as long as it is paid, and while a late pull is still
 * being tried; after a cancellation until the end of what was paid.
 */
const hasAccess = (now: Date): Sql => sql`(
  status in ('ACTIVE', 'PAST_DUE') and current_period_end is not null
  or status = 'CANCELED' and current_period_end > ${now})`

/** How many agents an owner may run at once. */
export async function quotaOf(db: Queryable, ownerId: string, now: Date): Promise<number> {
  const { quota } = await db.one<{ quota: number | null }>(sql`
    select max(agent_quota) as quota from subscriptions where owner_id = ${ownerId} and ${hasAccess(now)}`)
  return Math.max(quota ?? 0, FREE_TIER_AGENTS)
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
