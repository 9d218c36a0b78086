import { addSeconds } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { endGrant, lastEndOf } from './grants-store.ts'
import { lockRecord, removeOfGrant, saveExpiry } from './records-store.ts'
import { hashOf, lifetimes } from './rules.ts'

/**
 * Ends a grant with all of its tokens, and returns whether it worked until now. A client that registered itself is kept no
 * longer than the grants that it still has ask for.
 */
export async function revokeGrant(tx: Queryable, id: string, now: Date): Promise<boolean> {
  const clientId = await endGrant(tx, id, now)
  await removeOfGrant(tx, id)
  if (clientId === undefined) return false
  const client = { model: 'Client', hash: hashOf(clientId) }
  // A grant that is made at this moment is waited for, and counts.
  await lockRecord(tx, client)
  const end = (await lastEndOf(tx, clientId, now)) ?? now
  await saveExpiry(tx, client, addSeconds(end, lifetimes.afterGrant))
  return true
}
