import type { StreamResponse, Task } from '@a2a-js/sdk'
import { Role, TaskState } from '@a2a-js/sdk'
import { MAX_ORDER_WAIT_SECONDS } from '@agent-marketplace/contract'
import { type Caller, isByKey } from '../caller.ts'
import type { OpenJob } from './paying.ts'
import { isAtRest, stateOf } from './present.ts'
import type { Reading } from './reading.ts'

/** A stream without news ends after this time; its caller can subscribe again. */
const SILENT_SECONDS = 3600

export interface FollowingDeps {
  reading: Pick<Reading, 'show'>
  orders: {
    until: Until
    /** The same in places for streams, which are held for long. */
    untilNews: Until
  }
}

type Until = (wait: {
  jobId: string
  reader: string
  ownerId: string
  seconds: number
  gone: AbortSignal
  read: () => Promise<Task>
  isOver: (task: Task) => boolean
}) => Promise<Task>

type Update = StreamResponse['payload']

/** Follows a task that is paid for. */
export function createFollowing({ reading, orders }: FollowingDeps) {
  const waitFor = (
    until: Until,
    { open, caller, seconds }: { open: OpenJob; caller: Caller; seconds: number },
    isOver: (task: Task) => boolean,
  ) =>
    // A task is not read as its job or as another task of it, nor by a key as by others.
    until({
      jobId: open.job.id,
      reader: readerOf(open, caller),
      ownerId: open.job.ownerId,
      seconds,
      gone: caller.gone,
      read: () => reading.show(open, caller),
      isOver,
    })

  return {
    /** The task once it has ended or asks for something, or as it is when the wait is over. */
    untilRest: (open: OpenJob, caller: Caller): Promise<Task> =>
      waitFor(orders.until, { open, caller, seconds: MAX_ORDER_WAIT_SECONDS }, isAtRest),

    /** What comes after the task as the caller has seen it, until it is at rest. */
    async *updates(
      open: OpenJob,
      seen: Task,
      caller: Caller,
    ): AsyncGenerator<StreamResponse, void, undefined> {
      let before = seen
      while (!isAtRest(before)) {
        const after = await waitFor(
          orders.untilNews,
          { open, caller, seconds: SILENT_SECONDS },
          (task) => updatesBetween(before, task).length > 0,
        )
        const updates = updatesBetween(before, after)
        // Nothing new: the time is over, the caller has gone or the service stops.
        if (updates.length === 0) return
        for (const payload of updates) yield { payload }
        before = after
      }
    },
  }
}

/** Those who are shown the same. A key sees file URLs without a token where the files are its account's own. */
const readerOf = ({ id }: OpenJob, caller: Caller): string =>
  `a2a ${id} ${isByKey(caller) ? `key of ${caller.principal?.ownerId}` : ''}`

export type Following = ReturnType<typeof createFollowing>

/** What is new since then: reports, deliveries, and its current state. */
function updatesBetween(before: Task, after: Task): NonNullable<Update>[] {
  const { id: taskId, contextId } = after
  const name = { taskId, contextId, metadata: undefined }
  const known = new Set([...before.history.map(({ messageId }) => messageId), statusId(before)])
  const isMoved = stateOf(before) !== stateOf(after)
  const reports = after.history
    .filter(
      ({ messageId, role }) =>
        role === Role.ROLE_AGENT && !known.has(messageId) && messageId !== statusId(after),
    )
    .map((message) => ({
      $case: 'statusUpdate' as const,
      value: {
        ...name,
        status: { state: TaskState.TASK_STATE_WORKING, message, timestamp: after.status?.timestamp },
      },
    }))
  const deliveries = after.artifacts
    .filter(({ artifactId }) => !before.artifacts.some((one) => one.artifactId === artifactId))
    .map((artifact) => ({
      $case: 'artifactUpdate' as const,
      value: { ...name, artifact, append: false, lastChunk: true },
    }))
  const status = isMoved ? [{ $case: 'statusUpdate' as const, value: { ...name, status: after.status } }] : []
  return [...reports, ...deliveries, ...status]
}

const statusId = ({ status }: Task): string => status?.message?.messageId ?? ''
