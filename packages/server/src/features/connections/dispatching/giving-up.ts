import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Notify } from '../../../platform/notices/notice.ts'
import { FAILURES_BEFORE_PAUSE } from '../rules.ts'
import { countFailure } from '../store.ts'
import { type DispatchRow, endDispatch, hasFailedFor } from './dispatch-store.ts'
import { failureNotices } from './notices.ts'
import { type FindWork, NOT_OPEN } from './readiness.ts'

export interface GivingUpDeps {
  db: Database
  notify: Notify
  workOf: FindWork
  agentOf: (db: Queryable, agentId: string) => Promise<{ ownerId: string; name: string } | undefined>
  lockAgent: (tx: Queryable, agentId: string) => Promise<unknown>
  pauseAfterFailures: (tx: Transaction, agentId: string, message: string) => Promise<void>
}

/** The deadline has come and nothing was delivered: both sides are notified once. */
export function createGivingUp({ db, notify, workOf, agentOf, lockAgent, pauseAfterFailures }: GivingUpDeps) {
  return async (dispatch: DispatchRow): Promise<void> => {
    const { id, agentId, jobId } = dispatch
    await db.transaction(async (tx) => {
      await lockAgent(tx, agentId)
      const work = await workOf(tx, jobId)
      if (!work?.isOpen) return void (await endDispatch(tx, id, { state: 'STOPPED', error: NOT_OPEN }))
      if (!(await endDispatch(tx, id, { state: 'FAILED', error: null }))) return
      await notify(tx, ...failureNotices(dispatch, work))
      // No client alone can take an agent off the market by orders that it cannot do.
      if (!work.isTelling || (await hasFailedFor(tx, dispatch, work.clientId))) return
      const count = await countFailure(tx, agentId)
      if (count === undefined || count % FAILURES_BEFORE_PAUSE !== 0) return
      const name = (await agentOf(tx, agentId))?.name ?? 'The agent'
      const message = `${name} did not deliver ${FAILURES_BEFORE_PAUSE} jobs in a row, so it takes no new ones. Repair its connection, then resume it.`
      await pauseAfterFailures(tx, agentId, message)
    })
  }
}
