import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { placeBetween } from '../../platform/id/id.ts'
import { forEachDue } from '../../platform/queue/each-due.ts'
import { findLast, listUnused, nextSlice, removeEnded } from './grants-store.ts'
import { revokeGrant } from './revocation.ts'
import { lifetimes } from './rules.ts'

const EXAMINED_AT_ONCE = 5_000

/**
 * Ends grants that nothing can use, and forgets those that ended long ago. Nothing announces either, so all grants are
 * looked at, some of them in each turn: a million take three hours, and no turn takes longer the more there are. A process
 * begins anywhere among them: one that is restarted sooner than it has seen all would never come to the later ones.
 */
export function createGrantEnding({
  db,
  clock,
  examinedAtOnce = EXAMINED_AT_ONCE,
  random = Math.random,
}: {
  db: Database
  clock: Clock
  examinedAtOnce?: number
  random?: () => number
}) {
  const firstSlice = async () => {
    const first = await nextSlice(db, '', examinedAtOnce)
    if (first.isLast) return first
    const begin = placeBetween(first.upTo, await findLast(db), random())
    return nextSlice(db, begin, examinedAtOnce)
  }

  let after: string | undefined
  return async (signal?: AbortSignal): Promise<void> => {
    const slice = after === undefined ? await firstSlice() : await nextSlice(db, after, examinedAtOnce)
    after = slice.isLast ? '' : slice.upTo
    const now = clock.now()
    await removeEnded(db, slice, addSeconds(now, -lifetimes.afterGrant))
    const unused = await listUnused(db, slice, { createdBefore: addSeconds(now, -lifetimes.unused), now })
    await forEachDue(unused, ({ id }) => db.transaction((tx) => revokeGrant(tx, id, now)), { signal })
  }
}
