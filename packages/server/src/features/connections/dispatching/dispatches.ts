import type { JobFile } from '@agent-marketplace/contract'
import type { Happenings } from '../../../house/happenings.ts'
import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { HostLanes } from '../../../platform/outbound/host-lanes.ts'
import { createDueWork, type DuePlace } from '../../../platform/queue/due-work.ts'
import { forEachDue } from '../../../platform/queue/each-due.ts'
import type { Queue } from '../../../platform/queue/queue.ts'
import { findTask, findTaskBefore, listDueLooks } from '../a2a/task-store.ts'
import { threadOf } from '../a2a/thread.ts'
import type { CallAgent } from '../call-agent.ts'
import type { Probes } from '../liveness/probes.ts'
import { callbackTokenOf, dispatchIdOf, hashOfToken, messageOf } from '../message.ts'
import type { Reply } from '../reply.ts'
import type { ConnectionRow } from '../store.ts'
import { queueAttempts, queueLooks } from './call-queue.ts'
import { findNextExpiry, listDue, listExpired } from './dispatch-lists.ts'
import {
  type Attempt,
  claimAttempt,
  type DispatchRow,
  findAwaiting,
  openDispatch,
  resumeDispatch,
  stopOtherRounds,
} from './dispatch-store.ts'
import { createGivingUp, type GivingUpDeps } from './giving-up.ts'
import { findReady, NOT_OPEN, type Ready } from './readiness.ts'

const HOST_BUSY_SECONDS = 1
/** Longer than a call takes, with the delivery that follows it. */
const CLAIM_SECONDS = 90
const BATCH = 500
const DUE_PER_SELLER = 20

export interface DispatchDeps extends GivingUpDeps {
  clock: Clock
  queue: Pick<Queue, 'enqueueAll'>
  hostLanes: HostLanes
  publicUrl: URL
  tokenSecret: string
  callAgent: Record<ConnectionRow['kind'], CallAgent>
  givenByClient: (jobId: string) => Promise<JobFile[]>
  followReply: (dispatch: DispatchRow, reply: Reply) => Promise<void>
  markSeen: Probes['markSeen']
}

/**
 * Carries jobs to agents. It promises: a job is sent if and only if the transaction that lets the work begin commits; each
 * attempt carries the same id; and what comes back is delivered once, whatever dies or is repeated.
 */
export function createDispatches(deps: DispatchDeps) {
  const { db, clock, queue, hostLanes } = deps

  /** Undefined where another worker makes this attempt: an agent is asked once at a time. */
  async function call(
    order: Attempt,
    dispatch: DispatchRow,
    { connection, work }: Ready,
  ): Promise<Reply | undefined> {
    const token = callbackTokenOf(dispatch.id, deps.tokenSecret)
    const now = clock.now()
    const claim = { now, until: addSeconds(now, CLAIM_SECONDS), tokenHash: hashOfToken(token) }
    if (!(await claimAttempt(db, order, claim))) return undefined
    const files = await deps.givenByClient(dispatch.jobId)
    const message = messageOf(dispatch, work, files, { publicUrl: deps.publicUrl, token })
    const thread = threadOf(dispatch.id, await findTask(db, dispatch.id), await findTaskBefore(db, dispatch))
    return (await deps.callAgent[connection.kind](connection, message, thread)).reply
  }

  const giveUp = createGivingUp(deps)
  const endExpired = createDueWork<DispatchRow & DuePlace, Date>({
    list: (after, now) => listExpired(db, { now, after, limit: BATCH }),
    work: giveUp,
  })
  const share = { perSeller: DUE_PER_SELLER, limit: BATCH }

  return {
    /** In the transaction in which the work may begin. */
    async open(
      tx: Transaction,
      { jobId, agentId, round, workUntil }: Happenings['job.workable'],
    ): Promise<void> {
      const id = dispatchIdOf({ jobId, round })
      const now = clock.now()
      await stopOtherRounds(tx, { jobId, round }, NEXT_ROUND)
      const dispatch = await openDispatch(tx, {
        id,
        agentId,
        jobId,
        round,
        giveUpAt: workUntil,
        createdAt: now,
      })
      if (dispatch?.state === 'PENDING') await queueAttempts(tx, queue, [dispatch])
    },

    /** A pending refund stops the work. If it fails, the job is sent to the agent again. */
    async resume(tx: Transaction, { jobId }: Happenings['refund.failed']): Promise<void> {
      if (!(await deps.workOf(tx, jobId))?.isOpen) return
      const dispatch = await resumeDispatch(tx, { jobId, error: NOT_OPEN, now: clock.now() })
      if (dispatch) await queueAttempts(tx, queue, [dispatch])
    },

    async attempt(order: Attempt): Promise<void> {
      const dispatch = await findAwaiting(db, order)
      if (!dispatch || dispatch.giveUpAt <= clock.now()) return
      const ready = await findReady(deps, dispatch)
      if (!ready) return
      const leave = hostLanes.enter(ready.connection.url, dispatch.sellerId)
      if (!leave) return queueAttempts(db, queue, [dispatch], HOST_BUSY_SECONDS)
      const reply = await call(order, dispatch, ready).finally(leave)
      if (!reply) return
      await deps.followReply(dispatch, reply)
      if (reply.kind !== 'FAILURE') await deps.markSeen(dispatch.agentId)
    },

    /** Queues due retries and polls, and ends what is past its deadline. */
    async keepUp(signal: AbortSignal): Promise<void> {
      const now = clock.now()
      const parts = [
        { id: 'attempts', run: async () => queueAttempts(db, queue, await listDue(db, now, share)) },
        { id: 'looks', run: async () => queueLooks(db, queue, await listDueLooks(db, now, share)) },
        { id: 'expired', run: () => endExpired(now, signal) },
      ]
      await forEachDue(parts, ({ run }) => run(), { signal })
    },

    nextDueAt: (after: Date) => findNextExpiry(db, after),
  }
}

export type Dispatches = ReturnType<typeof createDispatches>

const NEXT_ROUND = 'The job was delivered by other means, and came back for changes.'
