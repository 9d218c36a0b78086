import type { Queryable } from '../../../platform/db/queryable.ts'
import type { NewJob, Queue } from '../../../platform/queue/queue.ts'
import type { DueLook } from '../a2a/task-store.ts'
import type { DispatchRow } from './dispatch-store.ts'

export const DISPATCH_TASK = 'agent-dispatch'
export const LOOK_TASK = 'agent-look'

type Enqueue = Pick<Queue, 'enqueueAll'>

const after = (seconds: number | undefined) => (seconds === undefined ? {} : { startAfterSeconds: seconds })

/** The key makes a second job for the same attempt pointless to add; the group lets no seller take all the lanes. */
export function queueAttempts(
  tx: Queryable,
  queue: Enqueue,
  dispatches: readonly Pick<DispatchRow, 'id' | 'attempts' | 'sellerId'>[],
  startAfterSeconds?: number,
): Promise<void> {
  const jobs = dispatches.map(
    ({ id, attempts, sellerId }): NewJob => ({
      payload: { dispatchId: id, attempt: attempts + 1 },
      group: sellerId,
      singletonKey: `${id}:${attempts + 1}`,
      ...after(startAfterSeconds),
    }),
  )
  return queue.enqueueAll(tx, DISPATCH_TASK, jobs)
}

/** The same for polling tasks. */
export function queueLooks(
  tx: Queryable,
  queue: Enqueue,
  due: readonly DueLook[],
  startAfterSeconds?: number,
): Promise<void> {
  const jobs = due.map(
    ({ dispatchId, looks, sellerId }): NewJob => ({
      payload: { dispatchId, look: looks + 1 },
      group: sellerId,
      singletonKey: `${dispatchId}:${looks + 1}`,
      ...after(startAfterSeconds),
    }),
  )
  return queue.enqueueAll(tx, LOOK_TASK, jobs)
}
