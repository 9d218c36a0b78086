import type { Work } from '../../../house/work.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Notify } from '../../../platform/notices/notice.ts'
import { FAILURES_BEFORE_PAUSE } from '../rules.ts'
import { countFailure } from '../store.ts'
import { hasFailedFor } from './dispatch-lists.ts'
import { type DispatchRow, endDispatch } from './dispatch-store.ts'
import { failureNotices, reasonOf } from './notices.ts'
import { type FindWork, NOT_OPEN } from './readiness.ts'

export interface GivingUpDeps {
  db: Database
  notify: Notify
  workOf: FindWork
  /** Notifies both parties of the missed deadline, unless that was done. */
  missDeadline: (jobId: string, why: string) => Promise<void>
  agentOf: (db: Queryable, agentId: string) => Promise<{ ownerId: string; name: string } | undefined>
  lockAgent: (tx: Queryable, agentId: string) => Promise<unknown>
  pauseAfterFailures: (tx: Transaction, agentId: string, message: string) => Promise<void>
}

/**
 * The time is up and nothing was delivered: both sides are notified once. A missed deadline is announced by
 * the job itself, whichever of the two ticks runs first.
 */
export function createGivingUp(deps: GivingUpDeps) {
  const { db, notify, workOf, agentOf, lockAgent, pauseAfterFailures } = deps

  /** Whether a deadline was missed. */
  async function end(tx: Transaction, dispatch: DispatchRow): Promise<boolean> {
    const { id, agentId, jobId } = dispatch
    await lockAgent(tx, agentId)
    const work = await workOf(tx, jobId)
    if (!work?.isOpen) {
      await endDispatch(tx, id, { state: 'STOPPED', error: NOT_OPEN })
      return false
    }
    if (!(await endDispatch(tx, id, { state: 'FAILED', error: null }))) return false
    if (work.dueAt === null) await notify(tx, ...failureNotices(dispatch, work))
    await countAgainst(tx, dispatch, work)
    return work.dueAt !== null
  }

  async function countAgainst(tx: Transaction, dispatch: DispatchRow, work: Work): Promise<void> {
    const { agentId } = dispatch
    // One client alone cannot take an agent off the market with impossible orders.
    if (!work.isTelling || (await hasFailedFor(tx, dispatch, work.clientId))) return
    const count = await countFailure(tx, agentId)
    if (count === undefined || count % FAILURES_BEFORE_PAUSE !== 0) return
    const name = (await agentOf(tx, agentId))?.name ?? 'The agent'
    const message = `${name} did not deliver ${FAILURES_BEFORE_PAUSE} jobs in a row, so it takes no new ones. Repair its connection, then resume it.`
    await pauseAfterFailures(tx, agentId, message)
  }

  return async (dispatch: DispatchRow): Promise<void> => {
    if (await db.transaction((tx) => end(tx, dispatch)))
      await deps.missDeadline(dispatch.jobId, reasonOf(dispatch))
  }
}
