import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { listUnused, nextSlice, removeEnded } from './grants-store.ts'
import { revokeGrant } from './revocation.ts'
import { lifetimes } from './rules.ts'

const EXAMINED_AT_ONCE = 5_000

/**
 * Ends grants that nothing can use, and forgets those that ended long ago. Nothing announces either, so all grants are
 * looked at, some of them in each turn: a million take three hours, and no turn takes longer the more there are.
 */
export function createGrantEnding({
  db,
  clock,
  examinedAtOnce = EXAMINED_AT_ONCE,
}: {
  db: Database
  clock: Clock
  examinedAtOnce?: number
}) {
  let after = ''
  return async (): Promise<void> => {
    const slice = await nextSlice(db, after, examinedAtOnce)
    after = slice.isLast ? '' : slice.upTo
    const now = clock.now()
    const createdBefore = addSeconds(now, -lifetimes.unused)
    for (const id of await listUnused(db, slice, { createdBefore, now }))
      await db.transaction((tx) => revokeGrant(tx, id, now))
    await removeEnded(db, slice, addSeconds(now, -lifetimes.afterGrant))
  }
}
