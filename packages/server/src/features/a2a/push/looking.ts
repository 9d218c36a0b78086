import { StreamResponse, type Task } from '@a2a-js/sdk'
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server'
import { TaskNotFoundError } from '@a2a-js/sdk/errors'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Queue } from '../../../platform/queue/queue.ts'
import type { Reader } from '../caller.ts'
import { LEGACY_VERSION } from '../cards.ts'
import type { TaskRow } from '../store.ts'
import { stateOf, taskAsking, taskWithdrawn, terminalStates, withHistory } from '../tasks/present.ts'
import type { Reading, ReadingDeps } from '../tasks/reading.ts'
import { findConfig, listReceiversOf, listReceiversOfJobs, type PushConfigRow, saveSeen } from './store.ts'

export const LOOK_TASK = 'a2a-push-look'

export interface PushLooksDeps {
  db: Database
  queue: Pick<Queue, 'enqueueAll'>
  reading: Pick<Reading, 'findOwn' | 'show'>
  readJob: ReadingDeps['readJob']
  /** Whether the API key works by which the session was opened. */
  isKeyLive: (sessionId: string) => Promise<boolean>
  receivers: {
    remove: (tx: Queryable, ids: readonly string[]) => Promise<void>
    hold: (tx: Queryable, id: string) => Promise<boolean>
    send: (tx: Queryable, message: { id: string; body: string; isLast: boolean }) => Promise<void>
  }
}

/**
 * Sends what has become of a task. Whatever may have changed one queues a look, in its own transaction; the look compares
 * the task with what was sent last. So no change is missed, and none is sent twice.
 */
export function createPushLooks({ db, queue, reading, readJob, isKeyLive, receivers }: PushLooksDeps) {
  const queueLooks = (tx: Queryable, found: readonly { receiverId: string; ownerId: string }[]) =>
    queue.enqueueAll(
      tx,
      LOOK_TASK,
      found.map(({ receiverId, ownerId }) => ({ payload: { receiverId }, group: ownerId })),
    )

  /** A payment that is being settled makes the next look, and reading its task would wait for it. */
  const isSettling = async ({ id, ownerId }: { id: string; ownerId: string }): Promise<boolean> =>
    (await readJob(id, ownerId)).status === 'PENDING'

  /** As its account sees it, without tokens: they never end, and are sent nowhere. Undefined while there is no news. */
  async function taskOf({ taskId, ownerId }: PushConfigRow): Promise<Task | undefined> {
    const reader: Reader = { principal: { ownerId }, token: undefined, agentWallet: undefined }
    try {
      const { job, row, ...name } = await reading.findOwn(taskId, reader)
      if (job && (await isSettling(job))) return undefined
      if (job) return withHistory(await reading.show({ ...name, job }, reader, { withTokens: false }), 0)
      if (row?.endedAt) return taskWithdrawn(row, row.endedAt)
      return row?.jobId ? taskUnpaid(row, row.jobId) : undefined
    } catch (error) {
      if (error instanceof TaskNotFoundError) return undefined
      throw error
    }
  }

  return {
    /** In the transaction that changes the jobs. */
    async noticeJobs(tx: Queryable, jobIds: readonly string[]): Promise<void> {
      const found = await listReceiversOfJobs(tx, jobIds)
      if (found.length > 0) await queueLooks(tx, found)
    },

    async noticeTask(tx: Queryable, taskId: string): Promise<void> {
      const found = await listReceiversOf(tx, [taskId])
      if (found.length > 0) await queueLooks(tx, found)
    },

    async look({ receiverId }: { receiverId: string }): Promise<void> {
      let isDone = false
      while (!isDone) {
        // What was sent is read before the task: a look that comes in between makes this one repeat itself.
        const config = await findConfig(db, receiverId)
        // What a key has set up ends with it.
        if (config?.keySession && !(await isKeyLive(config.keySession)))
          return db.transaction((tx) => receivers.remove(tx, [receiverId]))
        const task = config && (await taskOf(config))
        if (!task) return
        const now = markOf(task)
        if (now === config.seen) return
        const message = {
          id: receiverId,
          body: bodyOf(task, config.wireVersion),
          isLast: terminalStates.has(stateOf(task)),
        }
        isDone = await db.transaction(async (tx) => {
          if (!(await receivers.hold(tx, receiverId))) return true
          if (!(await saveSeen(tx, config, now))) return false
          await receivers.send(tx, message)
          return true
        })
      }
    },
  }
}

/** Queues a look at a task, in the transaction that changes it. */
export type NoticeTask = PushLooks['noticeTask']

export type PushLooks = ReturnType<typeof createPushLooks>

/** Its payment was taken and then failed on the chain. What is to be paid now is for its caller to read. */
const taskUnpaid = (row: TaskRow, jobId: string): Task =>
  taskAsking(
    row,
    {
      messageId: `${row.id}-unpaid-${jobId}`,
      text: 'The payment failed. Read the task to pay for it again.',
    },
    { at: row.createdAt, metadata: {} },
  )

/** Two tasks with the same mark have the same news. */
const markOf = ({ status, artifacts }: Task): string =>
  [status?.state, status?.message?.messageId, artifacts.length].join(' ')

function bodyOf(task: Task, wireVersion: string): string {
  const response: StreamResponse = { payload: { $case: 'task', value: task } }
  if (wireVersion === LEGACY_VERSION) return new V03PushNotificationSerializer().serialize(response).body
  return JSON.stringify(StreamResponse.toJSON(response))
}
