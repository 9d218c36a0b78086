import type { SubscriptionPlan } from '@agent-marketplace/contract'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { NewId } from '../../platform/id/id.ts'

/** Far enough for any test; the columns of pulls count in seconds. */
const END = new Date('2099-01-01T00:00:00Z')
const END_SECONDS = END.getTime() / 1000

/** Plans that others have paid for already. Subscribing has tests of its own. */
export function createWorldPlans({ db, clock, newId }: { db: Database; clock: Clock; newId: NewId }) {
  const endPlan = (ownerId: string, plan: SubscriptionPlan) =>
    db.run(sql`
      update subscriptions set status = 'CANCELED', current_period_end = ${clock.now()}
      where owner_id = ${ownerId} and plan = ${plan}`)

  return {
    /** A subscription as its first pull leaves it, in place of one to the same plan. */
    async openPlan(ownerId: string, plan: SubscriptionPlan, agentQuota: number | null = null): Promise<void> {
      const id = newId()
      const now = clock.now()
      await endPlan(ownerId, plan)
      await db.transaction(async (tx) => {
        await tx.run(sql`
          insert into subscriptions
            (id, owner_id, plan, status, permission_hash, agent_quota, price_micro, current_period_end, created_at)
          values (${id}, ${ownerId}, ${plan}, 'ACTIVE', ${id}, ${agentQuota}, 1, ${END}, ${now})`)
        await tx.run(sql`
          insert into spend_permissions
            (hash, subscription_id, owner_id, permission, signature, agent_quota, price_micro, created_at)
          values (${id}, ${id}, ${ownerId}, '{}', '0x', ${agentQuota}, 1, ${now})`)
        await tx.run(sql`
          insert into intents (id, kind, key, payload, sender, finality, status, is_final)
          values (${id}, 'subscription.pull', ${id}, '{}', 'spender', 'confirmed', 'SETTLED', true)`)
        await tx.run(sql`
          insert into subscription_pulls (id, subscription_id, permission_hash, kind, period_start, period_end,
            amount_micro, status, intent_id, settled_at, created_at)
          values (${id}, ${id}, ${id}, 'FIRST', 0, ${END_SECONDS}, 1, 'SETTLED', ${id}, ${now}, ${now})`)
      })
    },

    /** What was paid for is over. */
    endPlan,
  }
}
