import type { Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { apiAccessPlans, hasPlan, premiumUntilOf, quotaOf } from './access.ts'

/** What the plans of an owner open now. It needs the tables alone, so features that come earlier may be handed it. */
export function createPlanReads(clock: Clock) {
  return {
    quotaOf: (db: Queryable, ownerId: string) => quotaOf(db, ownerId, clock.now()),
    hasApiAccess: (db: Queryable, ownerId: string) =>
      hasPlan(db, { ownerId, plans: apiAccessPlans, now: clock.now() }),
    hasEnterprise: (db: Queryable, ownerId: string) =>
      hasPlan(db, { ownerId, plans: ['ENTERPRISE'], now: clock.now() }),
    premiumUntilOf,
  }
}
