import { AppError, type SubscriptionPlan } from '@agent-marketplace/contract'
import { lockOwner } from '../../house/owner-record.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { quotaOf } from './access.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { createLifecycle } from './lifecycle.ts'
import { createOrders } from './orders.ts'
import { subscriptionEvents, subscriptionKinds } from './pulls/intent-kinds.ts'
import { createPulls } from './pulls/pulls.ts'
import { createRenewals } from './pulls/renewals.ts'
import { GIVE_UP_SECONDS } from './pulls/schedule.ts'
import { createQuote } from './quote.ts'
import { findCurrent, findNextDue, listCurrent, type SubscriptionRow } from './store.ts'

/**
 * Plans, paid by pulls. It promises: each period is pulled once or not at all, whatever crashes or runs twice; a
 * permission serves one subscription of the owner who signed it; a charge that fails leaves everything as it was; what
 * was paid for stays open until its end.
 */
export function createSubscriptionsService(deps: SubscriptionsDeps) {
  const { db, clock } = deps
  const lifecycle = createLifecycle(deps)
  const pulls = createPulls(deps)

  return {
    intentKinds: subscriptionKinds({ ...deps, lifecycle }),
    eventHandlers: subscriptionEvents({ lifecycle }),

    /** A new subscription, or an upgrade. */
    order: createOrders({ ...deps, pulls }),
    quote: createQuote(deps),
    /** The tick: pulls what is due, ends what is over. */
    runDue: createRenewals({ ...deps, lifecycle, pulls }),
    /** When the tick next has something to do. */
    nextDueAt: (after: Date) => findNextDue(db, { after, giveUpSeconds: GIVE_UP_SECONDS }),

    async find(ownerId: string, plan: SubscriptionPlan | undefined): Promise<SubscriptionRow> {
      return (await findCurrent(db, { ownerId, plan, now: clock.now() })) ?? missing()
    },

    /** What counts now, over all of the owner's plans. */
    quotaOf: (ownerId: string, queryable: Queryable = db) => quotaOf(queryable, ownerId, clock.now()),

    list: (ownerId: string): Promise<SubscriptionRow[]> => listCurrent(db, ownerId, clock.now()),

    /** Asking twice changes nothing. */
    async cancel(
      tx: Transaction,
      {
        ownerId,
        plan,
        requestId,
      }: { ownerId: string; plan: SubscriptionPlan | undefined; requestId: string },
    ): Promise<SubscriptionRow> {
      await lockOwner(tx, ownerId)
      const found = (await findCurrent(tx, { ownerId, plan, now: clock.now() })) ?? missing()
      return found.status === 'CANCELED' ? found : lifecycle.cancel(tx, found, 'ASKED', requestId)
    },
  }
}

export type SubscriptionsService = ReturnType<typeof createSubscriptionsService>

function missing(): never {
  throw new AppError('NOT_FOUND', { message: 'There is no active subscription: this is the free tier.' })
}
