import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** Well below the time after which the database ends a transaction that says nothing. */
const heartbeatIntervalMs = 10_000

interface LeaseOptions {
  db: Database
  name: string
  /** The signal is aborted when the lease is lost, so that long work can stop. */
  work: (signal: AbortSignal) => Promise<void>
}

/**
 * Runs the work unless somebody else is running it now, in whatever process; returns whether it ran.
 *
 * The lease is an advisory lock of a transaction that is kept open and spoken to. The database frees it at once when
 * the process dies or its connection breaks, and after 30 seconds when the process is paused.
 */
export async function withLease({ db, name, work }: LeaseOptions): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { isFree } = await tx.one<{ isFree: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended(${`lease ${name}`}, 0)) as "isFree"`,
    )
    if (!isFree) return false
    const lost = new AbortController()
    let lastHeartbeat: Promise<unknown> = Promise.resolve()
    const heartbeat = setInterval(() => {
      lastHeartbeat = tx.run(sql`select 1`).catch(() => lost.abort())
    }, heartbeatIntervalMs)
    try {
      await work(lost.signal)
    } finally {
      clearInterval(heartbeat)
      await lastHeartbeat
    }
    return true
  })
}
