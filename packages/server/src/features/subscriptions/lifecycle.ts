import type { Transaction } from '../../platform/db/transaction.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { canceledNotice, pastDueNotice, refusedNotice, settledNotice } from './notices.ts'
import { createPaidState } from './paid-state.ts'
import { type CancelReason, nextRetry } from './pulls/schedule.ts'
import { type PullRow, readPull, savePullFailed, savePullOpen, savePullSettled } from './pulls/store.ts'
import { failureOf } from './rules.ts'
import { lockOwner, readSubscription, type SubscriptionRow, saveAccessEnded, saveState } from './store.ts'

/** The pull of the period according to the chain. */
export interface SettledPeriod {
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
    const { owner_id: ownerId } = await readPull(tx, pullId)
    await lockOwner(tx, ownerId)
    const pull = await readPull(tx, pullId)
    return { pull, subscription: await readSubscription(tx, pull.subscription_id) }
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
      next_pull_at: null,
      past_due_since: null,
    })
    if (reason !== 'REVOKED') {
      await revoke(tx, before.id, before.permission_hash, { requestId, occasion: CANCELED })
    }
    const canceled = await readSubscription(tx, before.id)
    const now = clock.now()
    if (canceled.current_period_end === null || canceled.current_period_end <= now)
      await endAccess(tx, canceled)
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
    const past_due_since = subscription.past_due_since ?? now
    const next_pull_at = nextRetry(past_due_since, now)
    await saveState(tx, subscription.id, {
      ...subscription,
      status: 'PAST_DUE',
      past_due_since,
      next_pull_at,
    })
    await applyEffects(tx, subscription)
    await notify(tx, pastDueNotice(subscription, next_pull_at))
  }

  /** The first pull or an upgrade: nothing is charged, and the permission is given back. */
  const refuseOrder = async (
    tx: Transaction,
    subscription: SubscriptionRow,
    pull: PullRow,
  ): Promise<void> => {
    if (pull.kind === 'FIRST' && subscription.status !== 'CANCELED') {
      await saveState(tx, subscription.id, { ...subscription, status: 'FAILED', next_pull_at: null })
    }
    await revoke(tx, subscription.id, pull.permission_hash, { afterFinal: pull.intent_id })
    await notify(tx, refusedNotice(subscription, pull))
  }

  return {
    permissionOf,
    cancel,
    endAccess,

    async settle(tx: Transaction, pullId: string, period: SettledPeriod): Promise<PullRow> {
      const { pull, subscription } = await lockPull(tx, pullId)
      await savePullSettled(tx, pull, period)
      const after = await followPulls(tx, subscription)
      if (after.permission_hash !== subscription.permission_hash) {
        // A cancellation that came before this charge has revoked the old permission alone.
        const ended = after.status === 'CANCELED' ? [after.permission_hash] : []
        // A fork may take this upgrade back: what was revoked by then could never be pulled again. Made again it is another
        // occasion to revoke.
        const occasion = `:${period.at.getTime()}`
        for (const hash of [subscription.permission_hash, ...ended]) {
          await revoke(tx, subscription.id, hash, { occasion, afterFinal: pull.intent_id })
        }
      }
      await notify(tx, settledNotice(after, pull))
      return pull
    },

    async fail(tx: Transaction, pullId: string, intentId: string, reason: string): Promise<void> {
      const { pull, subscription } = await lockPull(tx, pullId)
      if (pull.status !== 'PENDING' || pull.intent_id !== intentId) return
      await savePullFailed(tx, pull.id, reason)
      if (reason === 'ExceededSpendPermission') {
        await alert('A period was pulled that no pull of ours accounts for', {
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
      const { owner_id } = await readSubscription(tx, subscriptionId)
      await lockOwner(tx, owner_id)
      const subscription = await readSubscription(tx, subscriptionId)
      const isLive = subscription.status !== 'CANCELED' && subscription.status !== 'FAILED'
      if (isLive && subscription.permission_hash === hash) await cancel(tx, subscription, 'REVOKED')
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
