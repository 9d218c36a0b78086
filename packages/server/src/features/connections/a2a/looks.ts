import type { JobFile, SentFile } from '@agent-marketplace/contract'
import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { HostLanes } from '../../../platform/outbound/host-lanes.ts'
import type { Queue } from '../../../platform/queue/queue.ts'
import { queueLooks } from '../dispatching/call-queue.ts'
import { type DispatchRow, findWorking } from '../dispatching/dispatch-store.ts'
import { type FindWork, findReady, type Ready } from '../dispatching/readiness.ts'
import { callbackTokenOf, sentFileOf } from '../message.ts'
import type { A2aAgent, Look } from './a2a-agent.ts'
import type { TaskFollowing } from './follow-task.ts'
import { claimLook, fixReply, type LookOrder, latestLookOf, type TaskRow } from './task-store.ts'
import type { Answer } from './write-message.ts'

const HOST_BUSY_SECONDS = 1
/** Longer than a poll takes, including the reply that follows it. */
const CLAIM_SECONDS = 120
const LOST = 'The agent does not know its task any more.'
const CHANGED = 'The agent is connected in another way now.'

export interface LooksDeps {
  db: Database
  clock: Clock
  queue: Pick<Queue, 'enqueueAll'>
  hostLanes: HostLanes
  a2a: Pick<A2aAgent, 'look' | 'reply'>
  following: TaskFollowing
  workOf: FindWork
  givenByClient: (jobId: string) => Promise<JobFile[]>
  publicUrl: URL
  tokenSecret: string
  /** What the client wrote after one message of the job and up to another, oldest first. */
  clientMessages: (
    db: Queryable,
    jobId: string,
    range: { after: bigint; upTo: bigint | null },
  ) => Promise<(Answer & { id: string; seq: bigint })[]>
}

interface Looked {
  found: Look
  row: TaskRow
}

/** Polls agents for the state of their tasks, and sends them the buyer's replies. */
export function createLooks(deps: LooksDeps) {
  const { db, clock, queue, hostLanes, a2a, following } = deps

  /** The files attached to the buyer's messages, in the job's order. */
  async function filesOf({ id, jobId }: DispatchRow, answers: readonly Answer[]): Promise<SentFile[]> {
    const cids = answers.flatMap(({ attachments }) => attachments.map((uri) => uri.replace('ipfs://', '')))
    const sent = new Set([...answers.flatMap(({ files }) => files), ...cids])
    if (sent.size === 0) return []
    const callback = { publicUrl: deps.publicUrl, token: callbackTokenOf(id, deps.tokenSecret) }
    const given = await deps.givenByClient(jobId)
    return given.filter((file) => sent.has(file.id)).map((file) => sentFileOf(jobId, file, callback))
  }

  /** The buyer's reply, where the task waits for one and there is one; else what was found already. Undefined when outdated. */
  async function replyOr(
    found: Exclude<Look, 'LOST'>,
    dispatch: DispatchRow,
    row: TaskRow & { taskId: string },
    { connection, work }: Ready,
  ): Promise<Looked | undefined> {
    const { askedId, askedSeq, replySeq, taskId, contextId } = row
    const { reply } = found
    if (reply.kind !== 'TASK' || reply.task.stage.kind !== 'ASKING' || askedSeq === null)
      return { found, row }
    if (reply.task.stage.question.id !== askedId) return { found, row }
    const answers = await deps.clientMessages(db, dispatch.jobId, { after: askedSeq, upTo: replySeq })
    const last = answers.at(-1)
    if (!last) return { found, row }
    if (!(await fixReply(db, latestLookOf(row), last.seq))) return undefined
    const thread = { messageId: last.id, contextId, taskId }
    const files = await filesOf(dispatch, answers)
    const replied = await a2a.reply(connection, thread, { answers, files }, work.outputSchema)
    const isTaken = replied !== 'LOST' && replied.reply.kind === 'TASK'
    return {
      found: replied,
      row: isTaken
        ? { ...row, askedSeq: last.seq, replySeq: null, quietLooks: -1 }
        : { ...row, replySeq: last.seq },
    }
  }

  async function lookAt(
    dispatch: DispatchRow,
    row: TaskRow & { taskId: string },
    ready: Ready,
  ): Promise<Looked | undefined> {
    const found = await a2a.look(ready.connection, row.taskId, ready.work.outputSchema)
    return found === 'LOST' ? { found, row } : replyOr(found, dispatch, row, ready)
  }

  /** Undefined where the poll is not due, or another worker is polling or has done so since. */
  async function claimAndLook(
    order: LookOrder,
    dispatch: DispatchRow,
    ready: Ready,
  ): Promise<Looked | undefined> {
    const now = clock.now()
    const task = await claimLook(db, order, { now, until: addSeconds(now, CLAIM_SECONDS) })
    if (!task || task.taskId === null) return undefined
    return lookAt(dispatch, { ...task, taskId: task.taskId }, ready)
  }

  return {
    async look(order: LookOrder): Promise<void> {
      const dispatch = await findWorking(db, order.dispatchId)
      if (!dispatch || dispatch.giveUpAt <= clock.now()) return
      const ready = await findReady(deps, dispatch)
      if (!ready) return
      if (ready.connection.kind !== 'A2A') {
        const latest = { ...order, look: order.look - 1 }
        return following.fail(dispatch, latest, { how: 'LOST', status: null, error: CHANGED })
      }
      const leave = hostLanes.enter(ready.connection.url, dispatch.sellerId)
      if (!leave) {
        const again = { dispatchId: dispatch.id, looks: order.look - 1, sellerId: dispatch.sellerId }
        return queueLooks(db, queue, [again], HOST_BUSY_SECONDS)
      }
      const looked = await claimAndLook(order, dispatch, ready).finally(leave)
      if (!looked) return
      const { found, row } = looked
      if (found === 'LOST')
        return following.fail(dispatch, latestLookOf(row), { how: 'LOST', status: null, error: LOST })
      const { reply } = found
      if (reply.kind === 'TASK') return following.follow(dispatch, row, reply)
      const error = reply.kind === 'FAILURE' ? reply.error : 'The agent returned no task.'
      await following.saveQuiet(dispatch, row, reply.status, error)
    },
  }
}

export type Looks = ReturnType<typeof createLooks>
