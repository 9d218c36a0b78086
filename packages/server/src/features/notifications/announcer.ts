import type { Queryable } from '../../platform/db/queryable.ts'
import { createGather } from '../../platform/fast/gather.ts'
import { announce } from './store.ts'

const OWNERS_PER_MESSAGE = 500

/**
 * Notifies the streams of all processes whose feed has grown. It does so after the commit and not in it, because commits
 * that carry messages wait for one another; owners with new notifications in the meantime share the next statement.
 */
export function createAnnouncer(db: Queryable): (ownerId: string) => void {
  return createGather({
    batchLimit: OWNERS_PER_MESSAGE,
    inFlightLimit: 1,
    // A statement that fails loses nothing: every stream looks for itself at its next heartbeat.
    send: (ownerIds: string[]) => announce(db, [...new Set(ownerIds)]).catch(() => undefined),
  })
}
