import type { Tick } from '../../house/feature.ts'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { placeAt } from '../../platform/id/id.ts'
import { listOldest, lockFeeds, removeNotifications } from './store.ts'

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

/** Removes notifications that are older than so many days, read or not. */
export function retentionTicks({ db, clock, days }: RetentionDeps): Tick[] {
  if (days === undefined) return []
  const removeSome = async (before: string): Promise<number> => {
    const oldest = await listOldest(db, before, REMOVED_AT_ONCE)
    if (oldest.length === 0) return 0
    await db.transaction(async (tx) => {
      await lockFeeds(
        tx,
        oldest.map(({ ownerId }) => ownerId),
      )
      await removeNotifications(
        tx,
        oldest.map(({ id }) => id),
      )
    })
    return oldest.length
  }
  const removeOld = async (signal: AbortSignal): Promise<void> => {
    const before = placeAt(addSeconds(clock.now(), -days * DAY_SECONDS))
    while (!signal.aborted && (await removeSome(before)) === REMOVED_AT_ONCE);
  }
  return [{ name: 'notifications-old', seconds: INTERVAL_SECONDS, handler: removeOld }]
}
