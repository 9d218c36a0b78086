import type { Thread } from '../call-agent.ts'
import type { TaskRow } from './task-store.ts'

/** What a message about a dispatch continues: its own task, else that of the round before. */
export function threadOf(dispatchId: string, own: TaskRow | undefined, before: TaskRow | undefined): Thread {
  const latest = own?.taskId ? own : before
  const ended = own?.ended ?? 0
  return {
    messageId: ended === 0 ? dispatchId : `${dispatchId}_${ended + 1}`,
    contextId: latest?.contextId ?? null,
    liveTaskId: own?.isLive ? own.taskId : null,
    referenceTaskIds: latest?.taskId ? [latest.taskId] : [],
  }
}
