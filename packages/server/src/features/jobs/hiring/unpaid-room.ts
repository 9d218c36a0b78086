import { AppError } from '@agent-marketplace/contract'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { countUnpaid, lockBuyers, type UnpaidPair } from '../lifecycle/store.ts'

/** How many jobs of one buyer may wait for payment at once, in all and with one seller; 0 is no limit. */
export interface UnpaidLimits {
  perBuyer: number
  perSeller: number
}

export interface UnpaidRoom {
  /** Counts one more job, or throws where there is no room for it. */
  take(pair: UnpaidPair): void
}

/**
 * An unpaid job costs its buyer nothing and its seller attention. The jobs of a batch count each other, and one buyer's
 * batches count one after another: the later one finds what the earlier one has committed.
 */
export async function readUnpaidRoom(
  tx: Queryable,
  { perBuyer, perSeller }: UnpaidLimits,
  pairs: readonly UnpaidPair[],
): Promise<UnpaidRoom> {
  if (pairs.length === 0 || (perBuyer === 0 && perSeller === 0)) return { take: () => undefined }
  await lockBuyers(
    tx,
    pairs.map(({ clientId }) => clientId),
  )
  const unpaid = new Map<string, number>()
  const keyOf = ({ clientId, sellerId }: UnpaidPair) => `${clientId} ${sellerId}`
  for (const counted of await countUnpaid(tx, pairs, Math.max(perBuyer, perSeller))) {
    unpaid.set(counted.clientId, counted.ofBuyer)
    unpaid.set(keyOf(counted), counted.ofPair)
  }
  const check = (key: string, limit: number, where: string): void => {
    const count = unpaid.get(key) ?? 0
    if (limit === 0 || count < limit) return
    throw new AppError('CONFLICT', {
      message: `You have ${count} unpaid jobs${where}, and ${limit} are the most. Pay or cancel some first.`,
      details: { unpaid: count, limit },
    })
  }
  return {
    take(pair) {
      check(pair.clientId, perBuyer, '')
      check(keyOf(pair), perSeller, ' with this seller')
      for (const key of [pair.clientId, keyOf(pair)]) unpaid.set(key, (unpaid.get(key) ?? 0) + 1)
    },
  }
}
