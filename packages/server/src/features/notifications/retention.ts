import type { Tick } from '../../house/feature.ts'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { placeAt } from '../../platform/id/id.ts'
import { listOldest, lockIdleFeeds, removeNotifications } from './store.ts'

const DAY_SECONDS = 24 * 3600
const INTERVAL_SECONDS = 600
export const REMOVED_AT_ONCE = 1_000

interface RetentionDeps {
  db: Database
  /** Of the machine: ids have its time. */
  clock: Clock
  /** Undefined keeps notifications for good. */
  days: number | undefined
}

/**
 * Removes notifications that are older than so many days, read or not. A feed that is in use is left for the next turn:
 * waiting for it would hold up everyone who needs one of the feeds that are locked already.
 */
export function retentionTicks({ db, clock, days }: RetentionDeps): Tick[] {
  if (days === undefined) return []
  /** Returns the id of the last one that was looked at, or undefined where there are no more. */
  const removeSome = async (after: string, before: string): Promise<string | undefined> => {
    const oldest = await listOldest(db, { after, before }, REMOVED_AT_ONCE)
    await db.transaction(async (tx) => {
      const ownerIds = oldest.map(({ ownerId }) => ownerId)
      const idle = await lockIdleFeeds(tx, ownerIds)
      const removed = oldest.filter(({ ownerId }) => idle.has(ownerId))
      await removeNotifications(
        tx,
        removed.map(({ id }) => id),
      )
    })
    return oldest.length === REMOVED_AT_ONCE ? oldest.at(-1)?.id : undefined
  }
  const removeOld = async (signal: AbortSignal): Promise<void> => {
    const before = placeAt(addSeconds(clock.now(), -days * DAY_SECONDS))
    let after: string | undefined = ''
    while (after !== undefined && !signal.aborted) after = await removeSome(after, before)
  }
  return [{ name: 'notifications-old', seconds: INTERVAL_SECONDS, handler: removeOld }]
}
