import { lockOwner } from '../../../house/owner-record.ts'
import { addSeconds } from '../../../platform/clock/clock.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { createDueWork } from '../../../platform/queue/due-work.ts'
import { forEachDue } from '../../../platform/queue/each-due.ts'
import type { SubscriptionsDeps } from '../deps.ts'
import type { Lifecycle } from '../lifecycle.ts'
import {
  type DueSubscription,
  listDue,
  listEnding,
  readSubscription,
  type SubscriptionRow,
} from '../store.ts'
import type { Pulls } from './pulls.ts'
import { GIVE_UP_SECONDS, renewalStep } from './schedule.ts'
import { hasPendingPull, sumUpgrades } from './store.ts'

const BATCH_SIZE = 500

/**
 * What time alone brings about: pulls that fall due, patience that runs out, access that ends. Any number of workers
 * may run these at once; each subscription is decided about under its owner's lock, and looked at again there.
 */
export function createRenewals(deps: SubscriptionsDeps & { lifecycle: Lifecycle; pulls: Pulls }) {
  const { db, clock, lifecycle, pulls } = deps

  const renew = async (tx: Transaction, subscription: SubscriptionRow, now: Date): Promise<void> => {
    const isLive = subscription.status !== 'CANCELED' && subscription.status !== 'FAILED'
    if (!isLive || (await hasPendingPull(tx, subscription.id))) return
    const { id, permissionHash: hash, priceMicro } = subscription
    const permission = await lifecycle.permissionOf(tx, hash)
    const { nextPullAt, currentPeriodEnd, pastDueSince } = subscription
    const times = {
      nextPullAt,
      currentPeriodEnd,
      pastDueSince,
    }
    const decided = renewalStep(times, permission, now)
    if (decided.step === 'cancel') await lifecycle.cancel(tx, subscription, decided.reason)
    if (decided.step !== 'pull') return
    const { period } = decided
    // An upgrade that the chain took only now was meant for the period before, and pays for a part of this one instead.
    const chargedMicro = await sumUpgrades(tx, { subscriptionId: id, periodStart: period.start })
    const amountMicro = priceMicro - chargedMicro
    await pulls.order(tx, { subscriptionId: id, hash, kind: 'RENEWAL', period, amountMicro, requestId: null })
  }

  const end = async (tx: Transaction, subscription: SubscriptionRow, now: Date): Promise<void> => {
    const { status, accessEndedAt, currentPeriodEnd } = subscription
    if (status !== 'CANCELED' || accessEndedAt !== null) return
    if (currentPeriodEnd === null || currentPeriodEnd <= now) {
      await lifecycle.endAccess(tx, subscription)
    }
  }

  const decideBy =
    (decide: (tx: Transaction, subscription: SubscriptionRow, now: Date) => Promise<void>) =>
    ({ id, ownerId }: DueSubscription, now: Date): Promise<void> =>
      db.transaction(async (tx) => {
        await lockOwner(tx, ownerId)
        await decide(tx, await readSubscription(tx, id), now)
      })
  const parts = [
    {
      id: 'renewals',
      run: createDueWork<DueSubscription, Date>({
        list: (after, now) =>
          listDue(db, { now, gaveUpBefore: addSeconds(now, -GIVE_UP_SECONDS), after, limit: BATCH_SIZE }),
        work: decideBy(renew),
      }),
    },
    {
      id: 'ends of access',
      run: createDueWork<DueSubscription, Date>({
        list: (after, now) => listEnding(db, { now, after, limit: BATCH_SIZE }),
        work: decideBy(end),
      }),
    },
  ]

  /** `until`: how far the books know the chain. What is due after that waits for what they have yet to read. */
  return ({ signal, until }: { signal?: AbortSignal; until?: Date } = {}): Promise<void> => {
    const now = until !== undefined && until < clock.now() ? until : clock.now()
    return forEachDue(parts, ({ run }) => run(now, signal), { signal })
  }
}
