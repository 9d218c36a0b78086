import { lockOwner } from '../../house/owner-record.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { canceledNotice, paidNotice, pastDueNotice, refusedNotice } from './notices.ts'
import { createPaidState } from './paid-state.ts'
import { type CancelReason, nextRetry } from './pulls/schedule.ts'
import { type PullRow, readPull, savePullFailed, savePullOpen, savePullSettled } from './pulls/store.ts'
import { failureOf } from './rules.ts'
import { readSubscription, type SubscriptionRow, saveAccessEnded, saveState } from './store.ts'

/** The pull of the period according to the chain. */
export interface PaidPeriod {
  periodStart: number
  periodEnd: number
  at: Date
}

interface RevokeOptions {
  requestId?: string | null
  /** What was kept on one occasion, because it was in use, may be revoked on another. */
  occasion?: string
  /** The intent of the pull whose outcome must be final first. */
  afterFinal?: string
}

const CANCELED = ':canceled'

export type Lifecycle = ReturnType<typeof createLifecycle>

/** How a subscription moves. Callers hold the owner's lock, or take it through here. */
export function createLifecycle(
  deps: Pick<
    SubscriptionsDeps,
    'clock' | 'chain' | 'intents' | 'notify' | 'alert' | 'fitAgentsToQuota' | 'setPremiumUntil'
  >,
) {
  const { clock, intents, notify, alert } = deps
  const { permissionOf, followPulls, applyEffects } = createPaidState(deps)

  const lockPull = async (tx: Transaction, pullId: string) => {
    const { ownerId } = await readPull(tx, pullId)
    await lockOwner(tx, ownerId)
    const pull = await readPull(tx, pullId)
    return { pull, subscription: await readSubscription(tx, pull.subscriptionId) }
  }

  const revoke = async (
    tx: Transaction,
    subscriptionId: string,
    hash: string,
    { requestId = null, occasion = '', afterFinal }: RevokeOptions = {},
  ) => {
    await intents.create(tx, {
      kind: 'subscription.revoke',
      key: `revoke:${hash}${occasion}`,
      payload: { hash },
      requestId,
      // What waits for finality must not keep the next pull waiting as well.
      ...(afterFinal === undefined ? { lane: laneOf(subscriptionId) } : { afterFinal }),
    })
    tx.afterCommit(intents.kick)
  }

  const endAccess = async (tx: Transaction, subscription: SubscriptionRow): Promise<void> => {
    await saveAccessEnded(tx, subscription.id, clock.now())
    await applyEffects(tx, subscription)
  }

  const cancel = async (
    tx: Transaction,
    before: SubscriptionRow,
    reason: CancelReason,
    requestId: string | null = null,
  ): Promise<SubscriptionRow> => {
    await saveState(tx, before.id, {
      ...before,
      status: 'CANCELED',
      nextPullAt: null,
      pastDueSince: null,
    })
    if (reason !== 'REVOKED') {
      await revoke(tx, before.id, before.permissionHash, { requestId, occasion: CANCELED })
    }
    const canceled = await readSubscription(tx, before.id)
    const now = clock.now()
    if (canceled.currentPeriodEnd === null || canceled.currentPeriodEnd <= now) await endAccess(tx, canceled)
    else await applyEffects(tx, canceled)
    await notify(tx, canceledNotice(canceled, reason, now))
    return canceled
  }

  const failRenewal = async (
    tx: Transaction,
    subscription: SubscriptionRow,
    reason: string,
  ): Promise<void> => {
    const failure = failureOf(reason)
    if (failure !== 'unpaid') {
      await cancel(tx, subscription, failure === 'revoked' ? 'REVOKED' : 'EXPIRED')
      return
    }
    const now = clock.now()
    const pastDueSince = subscription.pastDueSince ?? now
    const nextPullAt = nextRetry(pastDueSince, now)
    await saveState(tx, subscription.id, {
      ...subscription,
      status: 'PAST_DUE',
      pastDueSince,
      nextPullAt,
    })
    await applyEffects(tx, subscription)
    await notify(tx, pastDueNotice(subscription, nextPullAt))
  }

  /** The first pull or an upgrade: nothing is charged, and the permission is given back. */
  const refuseOrder = async (
    tx: Transaction,
    subscription: SubscriptionRow,
    pull: PullRow,
  ): Promise<void> => {
    if (pull.kind === 'FIRST' && subscription.status !== 'CANCELED') {
      await saveState(tx, subscription.id, { ...subscription, status: 'FAILED', nextPullAt: null })
    }
    await revoke(tx, subscription.id, pull.permissionHash, { afterFinal: pull.intentId })
    await notify(tx, refusedNotice(subscription, pull))
  }

  return {
    permissionOf,
    cancel,
    endAccess,

    async recordPaid(tx: Transaction, pullId: string, period: PaidPeriod): Promise<PullRow> {
      const { pull, subscription } = await lockPull(tx, pullId)
      await savePullSettled(tx, pull, period)
      const after = await followPulls(tx, subscription)
      if (after.permissionHash !== subscription.permissionHash) {
        // A cancellation that came before this charge has revoked the old permission alone.
        const ended = after.status === 'CANCELED' ? [after.permissionHash] : []
        // A fork may take this upgrade back: what was revoked by then could never be pulled again. Made again it is another
        // occasion to revoke.
        const occasion = `:${period.at.getTime()}`
        for (const hash of [subscription.permissionHash, ...ended]) {
          await revoke(tx, subscription.id, hash, { occasion, afterFinal: pull.intentId })
        }
      }
      await notify(tx, paidNotice(after, pull))
      return pull
    },

    async fail(tx: Transaction, pullId: string, intentId: string, reason: string): Promise<void> {
      const { pull, subscription } = await lockPull(tx, pullId)
      if (pull.status !== 'PENDING' || pull.intentId !== intentId) return
      await savePullFailed(tx, pull.id, reason)
      if (reason === 'ExceededSpendPermission') {
        await alert('PULL_UNACCOUNTED', {
          subscriptionId: subscription.id,
        })
      }
      if (pull.kind !== 'RENEWAL') await refuseOrder(tx, subscription, pull)
      else if (subscription.status !== 'CANCELED') await failRenewal(tx, subscription, reason)
    },

    /** A reorganisation took the pull back; its bytes go out again. */
    async reopen(tx: Transaction, pullId: string): Promise<void> {
      const { pull, subscription } = await lockPull(tx, pullId)
      if (pull.status !== 'SETTLED') return
      await savePullOpen(tx, pull.id)
      await followPulls(tx, subscription)
    },

    /** The account, or we ourselves, gave the permission up: what it would have paid for ends with the paid period. */
    async followRevocation(tx: Transaction, subscriptionId: string, hash: string): Promise<void> {
      const { ownerId } = await readSubscription(tx, subscriptionId)
      await lockOwner(tx, ownerId)
      const subscription = await readSubscription(tx, subscriptionId)
      const isLive = subscription.status !== 'CANCELED' && subscription.status !== 'FAILED'
      if (isLive && subscription.permissionHash === hash) await cancel(tx, subscription, 'REVOKED')
    },

    /** A fork took the revocation back. What ended with it stays ended, so the permission is given up again. */
    async followRestored(tx: Transaction, subscriptionId: string, hash: string): Promise<void> {
      const { status } = await readSubscription(tx, subscriptionId)
      if (status === 'CANCELED') await revoke(tx, subscriptionId, hash, { occasion: CANCELED })
    },
  }
}

/** Approval, pulls and revocation of one subscription go to the chain one after another. */
export const laneOf = (subscriptionId: string): string => `subscription:${subscriptionId}`
