import type { Transaction } from '../../../platform/db/transaction.ts'
import type { SubscriptionsDeps } from '../deps.ts'
import { laneOf } from '../lifecycle.ts'
import { APPROVAL_GAS_LIMIT, PULL_GAS_LIMIT, type PullPayload } from './intent-kinds.ts'
import type { Period } from './schedule.ts'
import { countPulls, insertPull, type PullKind } from './store.ts'

export interface NewPull {
  subscriptionId: string
  hash: string
  kind: PullKind
  period: Period
  amountMicro: bigint
  requestId: string | null
}

export type Pulls = ReturnType<typeof createPulls>

/** Orders to the chain, each in the transaction of its decision. Callers hold the owner's lock. */
export function createPulls({
  intents,
  clock,
  newId,
}: Pick<SubscriptionsDeps, 'intents' | 'clock' | 'newId'>) {
  return {
    async approve(
      tx: Transaction,
      approval: Pick<NewPull, 'subscriptionId' | 'hash' | 'requestId'> & { ownerId: string },
    ): Promise<void> {
      const { subscriptionId, hash, requestId, ownerId } = approval
      await intents.create(tx, {
        kind: 'subscription.approve',
        key: `approve:${hash}`,
        payload: { hash },
        requestId,
        lane: laneOf(subscriptionId),
        charge: { account: ownerId, gas: APPROVAL_GAS_LIMIT + PULL_GAS_LIMIT },
      })
      tx.afterCommit(intents.kick)
    },

    /** One row and one intent for each attempt at a period; the database refuses a second one beside it. */
    async order(tx: Transaction, pull: NewPull): Promise<void> {
      const { subscriptionId, hash, kind, period, amountMicro, requestId } = pull
      const attempt = await countPulls(tx, { subscriptionId, periodStart: period.start })
      const id = newId()
      const payload: PullPayload = { pullId: id, amountMicro: amountMicro.toString() }
      const intent = await intents.create(tx, {
        kind: 'subscription.pull',
        key: `pull:${subscriptionId}:${period.start}:${attempt}`,
        payload,
        requestId,
        lane: laneOf(subscriptionId),
      })
      await insertPull(tx, {
        id,
        subscriptionId,
        permissionHash: hash,
        kind,
        periodStart: BigInt(period.start),
        periodEnd: BigInt(period.end),
        amountMicro,
        intentId: intent.id,
        createdAt: clock.now(),
      })
      tx.afterCommit(intents.kick)
    },
  }
}
