import type { Task } from '@a2a-js/sdk'
import { TaskNotCancelableError } from '@a2a-js/sdk/errors'
import { AppError } from '@agent-marketplace/contract'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../caller.ts'
import { endTask } from '../store.ts'
import type { AskingForMore } from './asking.ts'
import type { Turn } from './paying.ts'
import { taskWithdrawn } from './present.ts'
import { type FoundTask, type Reading, unknownTask } from './reading.ts'

export interface OwnTasksDeps {
  db: Database
  /** Real time. */
  clock: Clock
  reading: Reading
  asking: AskingForMore
  /** As the law of jobs allows it; an AppError where it does not. */
  cancelJob: (jobId: string, ownerId: string) => Promise<void>
}

/** What callers see and do about tasks that are theirs. */
export function createOwnTasks({ db, clock, reading, asking, cancelJob }: OwnTasksDeps) {
  async function turnOf(found: FoundTask, caller: Caller): Promise<Turn> {
    const { id, contextId, job, row } = found
    if (job) {
      const open = { id, contextId, job }
      return { task: await reading.show(open), job: open }
    }
    if (!row) throw unknownTask()
    return { task: row.endedAt ? taskWithdrawn(row, row.endedAt) : await asking.ask(row, caller) }
  }

  const look = async (id: string, caller: Caller): Promise<Turn> =>
    turnOf(await reading.findOwn(id, caller), caller)

  return {
    look,
    read: async (id: string, caller: Caller): Promise<Task> => (await look(id, caller)).task,

    async cancel(id: string, caller: Caller): Promise<Task> {
      const { job } = await reading.findOwn(id, caller)
      if (job) await cancel(job)
      else await endTask(db, id, clock.now())
      return (await look(id, caller)).task
    },
  }

  async function cancel({ id, ownerId }: NonNullable<FoundTask['job']>): Promise<void> {
    try {
      await cancelJob(id, ownerId)
    } catch (error) {
      if (error instanceof AppError && error.code === 'INVALID_STATE')
        throw new TaskNotCancelableError(error.message)
      throw error
    }
  }
}
