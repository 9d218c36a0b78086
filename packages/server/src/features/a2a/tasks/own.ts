import type { Task } from '@a2a-js/sdk'
import { A2AError, TaskNotCancelableError } from '@a2a-js/sdk/errors'
import { AppError } from '@agent-marketplace/contract'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import type { Caller } from '../caller.ts'
import type { NoticeTask } from '../push/looking.ts'
import { endTask, type TaskRow } from '../store.ts'
import type { AskingForMore } from './asking.ts'
import type { Turn } from './paying.ts'
import { taskAsking, taskWithdrawn } from './present.ts'
import { type FoundTask, type Reading, unknownTask } from './reading.ts'

export interface OwnTasksDeps {
  db: Database
  /** Real time. */
  clock: Clock
  reading: Reading
  asking: AskingForMore
  noticeTask: NoticeTask
  /** As the law of jobs allows it; an AppError where it does not. */
  cancelJob: (job: { jobId: string; ownerId: string; budget: Principal['budget'] }) => Promise<void>
}

/** What callers can read and do with their own tasks. */
export function createOwnTasks({ db, clock, reading, asking, noticeTask, cancelJob }: OwnTasksDeps) {
  async function turnOf(found: FoundTask, caller: Caller): Promise<Turn> {
    const { id, contextId, job, row } = found
    if (job) {
      const open = { id, contextId, job }
      return { task: await reading.show(open, caller), job: open }
    }
    if (!row) throw unknownTask()
    return { task: row.endedAt ? taskWithdrawn(row, row.endedAt) : await unpaid(row, caller) }
  }

  /** A task whose service can no longer be ordered is still returned, and says so. */
  async function unpaid(row: TaskRow, caller: Caller): Promise<Task> {
    try {
      return await asking.ask(row, caller, { isOwn: true })
    } catch (error) {
      const isRefused = error instanceof A2AError || (error instanceof AppError && error.status < 500)
      if (!isRefused) throw error
      const question = { messageId: `${row.id}-refused`, text: error.message }
      return taskAsking(row, question, { at: row.createdAt, metadata: {} })
    }
  }

  const look = async (id: string, caller: Caller): Promise<Turn> =>
    turnOf(await reading.findOwn(id, caller), caller)

  return {
    look,
    read: async (id: string, caller: Caller): Promise<Task> => (await look(id, caller)).task,

    async cancel(id: string, caller: Caller): Promise<Task> {
      const { job } = await reading.findOwn(id, caller)
      if (job) await cancel(job, caller)
      else
        await db.transaction(async (tx) => {
          await endTask(tx, id, clock.now())
          await noticeTask(tx, id)
        })
      return (await look(id, caller)).task
    },
  }

  async function cancel(
    { id: jobId, ownerId }: NonNullable<FoundTask['job']>,
    { principal }: Caller,
  ): Promise<void> {
    try {
      await cancelJob({ jobId, ownerId, budget: principal?.budget })
    } catch (error) {
      if (error instanceof AppError && error.code === 'INVALID_STATE')
        throw new TaskNotCancelableError(error.message)
      throw error
    }
  }
}
