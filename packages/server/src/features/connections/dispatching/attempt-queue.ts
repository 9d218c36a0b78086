import type { Queryable } from '../../../platform/db/queryable.ts'
import type { NewJob, Queue } from '../../../platform/queue/queue.ts'
import type { DispatchRow } from './dispatch-store.ts'

export const DISPATCH_TASK = 'agent-dispatch'

/** The key makes a second job for the same attempt pointless to add; the group lets no seller take all the lanes. */
export function queueAttempts(
  tx: Queryable,
  queue: Pick<Queue, 'enqueueAll'>,
  dispatches: readonly DispatchRow[],
  startAfterSeconds?: number,
): Promise<void> {
  const delay = startAfterSeconds === undefined ? {} : { startAfterSeconds }
  const jobs = dispatches.map(
    ({ id, attempts, sellerId }): NewJob => ({
      payload: { dispatchId: id, attempt: attempts + 1 },
      group: sellerId,
      singletonKey: `${id}:${attempts + 1}`,
      ...delay,
    }),
  )
  return queue.enqueueAll(tx, DISPATCH_TASK, jobs)
}
