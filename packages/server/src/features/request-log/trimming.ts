import type { Queryable } from '../../platform/db/queryable.ts'
import { REMOVED_AT_ONCE } from '../../platform/db/remove-rows.ts'
import type { Log } from '../../platform/log/log.ts'
import { type NewRequest, trimRequests } from './store.ts'

/** Of one owner. It bounds what one busy key can write. */
export const KEPT_REQUESTS = 50_000
/** So many requests of an owner are recorded, on average, between two trimmings of theirs. */
export const TRIMMED_EVERY = 1_000

export interface TrimmingDeps {
  db: Queryable
  log: Log
  random?: () => number
}

/**
 * Removes the oldest requests of an owner who has recorded too many. Who records draws a lot for each request: nothing is
 * counted or remembered, a restart forgets nothing, and it costs the same however many other owners there are.
 */
export function createTrimming({ db, log, random = () => Math.random() }: TrimmingDeps) {
  return async function trimAfter(recorded: readonly Pick<NewRequest, 'ownerId'>[]): Promise<void> {
    const drawn = new Set(recorded.filter(() => random() * TRIMMED_EVERY < 1).map(({ ownerId }) => ownerId))
    for (const ownerId of drawn) {
      try {
        await trimRequests(db, ownerId, { kept: KEPT_REQUESTS, limit: REMOVED_AT_ONCE })
      } catch (error) {
        // The next lot tries again; what is recorded already must not be written again for it.
        log.warn({ err: error, ownerId }, 'requests of an owner are not trimmed for now')
      }
    }
  }
}
