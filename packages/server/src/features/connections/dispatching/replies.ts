import { AppError } from '@agent-marketplace/contract'
import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { TaskFollowing } from '../a2a/follow-task.ts'
import { saveTask } from '../a2a/task-store.ts'
import type { Reply } from '../reply.ts'
import { delayAfter, reasonOf } from '../rules.ts'
import { saveCall } from '../store.ts'
import type { Delivering } from './delivering.ts'
import { type AttemptOutcome, type DispatchRow, saveAttempt } from './dispatch-store.ts'

export interface RepliesDeps {
  db: Database
  clock: Clock
  delivering: Delivering
  followTask: TaskFollowing['follow']
}

/** What becomes of a reply to an attempt. */
export function createReplies({ db, clock, delivering, followTask }: RepliesDeps) {
  async function save(dispatch: DispatchRow, reply: Exclude<Reply, { kind: 'RESULT' }>): Promise<void> {
    const now = clock.now()
    const attempt = dispatch.attempts + 1
    const { status: responseStatus } = reply
    const outcome: AttemptOutcome =
      reply.kind === 'FAILURE'
        ? {
            state: 'PENDING',
            responseStatus,
            error: reply.error,
            nextAttemptAt: addSeconds(now, delayAfter(attempt)),
          }
        : { state: 'WORKING', responseStatus, error: null, nextAttemptAt: reply.kind === 'TASK' ? now : null }
    const task = await db.transaction(async (tx) => {
      if (!(await saveAttempt(tx, { dispatchId: dispatch.id, attempt }, outcome))) return undefined
      // Before anything else is done about it: from here on it is polled, and not sent again.
      const row = reply.kind === 'TASK' ? await saveTask(tx, dispatch.id, reply.task) : undefined
      await saveCall(tx, dispatch.agentId, { at: now, responseStatus, error: outcome.error })
      return row
    })
    if (task && reply.kind === 'TASK') await followTask({ ...dispatch, attempts: attempt }, task, reply)
  }

  return async (dispatch: DispatchRow, reply: Reply): Promise<void> => {
    if (reply.kind !== 'RESULT') return save(dispatch, reply)
    const { work, files, status: responseStatus } = reply
    const attempts = dispatch.attempts + 1
    try {
      await delivering(dispatch, { work, files, responseStatus, attempts, requestId: null })
    } catch (error) {
      // What is wrong with the result is recorded, and sent along with the next attempt.
      if (!(error instanceof AppError)) throw error
      await save(dispatch, { kind: 'FAILURE', status: responseStatus, error: reasonOf(error) })
    }
  }
}
