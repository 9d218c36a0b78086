import type { Transaction } from '../../platform/db/transaction.ts'
import type { SpendPermission } from '../../ports/chain/port.ts'
import { isPremiumPlan, premiumUntilOf } from './access.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { readStoredPermission } from './permission.ts'
import { readPermissionRow } from './permissions-store.ts'
import { nextPullAfter, timeOf } from './pulls/schedule.ts'
import { findPaid } from './pulls/store.ts'
import { findLive, readSubscription, type SubscriptionRow, saveState } from './store.ts'

type PaidStateDeps = Pick<SubscriptionsDeps, 'chain' | 'fitAgentsToQuota' | 'setPremiumUntil'>

/**
 * What was paid is read from the settled pulls each time, never counted along, so that a pull that a reorganisation takes
 * back, or that arrives late, leaves no trace in the subscription.
 */
export function createPaidState(deps: PaidStateDeps) {
  const permissionOf = async (tx: Transaction, hash: string): Promise<SpendPermission> => {
    const row = await readPermissionRow(tx, hash)
    return readStoredPermission(row.permission, deps.chain.checksumAddress)
  }

  const applyEffects = async (tx: Transaction, { ownerId, plan }: SubscriptionRow) => {
    if (plan === 'AGENT_QUOTA') await deps.fitAgentsToQuota(tx, ownerId)
    if (isPremiumPlan(plan)) await deps.setPremiumUntil(tx, ownerId, await premiumUntilOf(tx, ownerId))
  }

  /** Sets the subscription to what its settled pulls say. */
  const followPulls = async (tx: Transaction, before: SubscriptionRow): Promise<SubscriptionRow> => {
    const paid = await findPaid(tx, before.id)
    if (paid === undefined) {
      const { start } = await permissionOf(tx, before.permissionHash)
      const isCanceled = before.status === 'CANCELED'
      await saveState(tx, before.id, {
        ...before,
        status: isCanceled ? 'CANCELED' : 'TRIALING',
        currentPeriodEnd: null,
        lastPullAt: null,
        nextPullAt: isCanceled ? null : timeOf(start),
        pastDueSince: null,
      })
    } else {
      const { agentQuota, priceMicro } = await readPermissionRow(tx, paid.permissionHash)
      const permission = await permissionOf(tx, paid.permissionHash)
      const status = await statusOfPaid(tx, before)
      const paidUntil = Number(paid.paidUntil)
      await saveState(tx, before.id, {
        status,
        permissionHash: paid.permissionHash,
        agentQuota,
        priceMicro,
        currentPeriodEnd: timeOf(paidUntil),
        lastPullAt: paid.lastPullAt,
        nextPullAt: status === 'CANCELED' ? null : nextPullAfter(permission, paidUntil),
        pastDueSince: null,
      })
    }
    const after = await readSubscription(tx, before.id)
    await applyEffects(tx, after)
    return after
  }

  /** A cancellation stands whatever is paid after it; so does the newer one when a failed order is paid after all. */
  const statusOfPaid = async (tx: Transaction, { status, ownerId, plan }: SubscriptionRow) => {
    if (status !== 'FAILED') return status === 'CANCELED' ? 'CANCELED' : 'ACTIVE'
    return (await findLive(tx, ownerId, plan)) === undefined ? 'ACTIVE' : 'CANCELED'
  }

  return { permissionOf, followPulls, applyEffects }
}
