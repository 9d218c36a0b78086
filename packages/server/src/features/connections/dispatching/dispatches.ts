import { AppError, type JobStatus } from '@agent-marketplace/contract'
import type { Happenings } from '../../../house/happenings.ts'
import type { Steps } from '../../../house/steps.ts'
import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Notify } from '../../../platform/notices/notice.ts'
import type { PostResult } from '../../../platform/outbound/guarded-post.ts'
import { createHostLanes } from '../../../platform/outbound/host-lanes.ts'
import type { Queue } from '../../../platform/queue/queue.ts'
import type { CallAgent } from '../call-agent.ts'
import { callbackTokenOf, dispatchIdOf, hashOfToken, messageOf, type Work } from '../message.ts'
import {
  type DeliveredWork,
  delayAfter,
  FAILURES_BEFORE_PAUSE,
  type Reply,
  readReply,
  reasonOf,
} from '../rules.ts'
import {
  type ConnectionRow,
  countFailure,
  findConnection,
  forgetFailures,
  isDeactivated,
  saveCall,
  saveSeen,
} from '../store.ts'
import {
  type Attempt,
  claimAttempt,
  type DispatchRow,
  endDispatch,
  findAwaiting,
  findNextExpiry,
  hasFailedFor,
  listDue,
  listExpired,
  openDispatch,
  saveAttempt,
  saveDelivered,
  stopOtherRounds,
} from './dispatch-store.ts'
import { failureNotices } from './notices.ts'

export const DISPATCH_TASK = 'agent-dispatch'
const HOST_BUSY_SECONDS = 1
/** Longer than a call takes, with the delivery that follows it. */
const CLAIM_SECONDS = 90
const BATCH = 500
const DUE_PER_SELLER = 20

/** A delivery in the seller's name, by the same steps as the seller's own call. */
export type Deliver = (
  wish: { jobId: string; caller: { ownerId: string; isAdmin: boolean }; requestId: string | null },
  work: DeliveredWork,
) => Steps<unknown, { details: { status: JobStatus } }>

export interface DispatchDeps {
  db: Database
  clock: Clock
  queue: Pick<Queue, 'enqueueAll'>
  notify: Notify
  publicUrl: URL
  tokenSecret: string
  callAgent: Record<ConnectionRow['kind'], CallAgent>
  workOf: (db: Queryable, jobId: string) => Promise<Work | undefined>
  deliver: Deliver
  agentOf: (db: Queryable, agentId: string) => Promise<{ ownerId: string; name: string } | undefined>
  lockAgent: (tx: Queryable, agentId: string) => Promise<unknown>
  pauseAfterFailures: (tx: Transaction, agentId: string, message: string) => Promise<void>
}

/** What the agent brought, and in which attempt; by callback there is none. */
interface Brought {
  work: DeliveredWork
  attempts: number
  responseStatus: number | null
  requestId: string | null
}

/**
 * Carries jobs to agents. It promises: a job is sent if and only if the transaction that lets the work begin commits; each
 * attempt carries the same id; and what comes back is delivered once, whatever dies or is repeated.
 */
export function createDispatches(deps: DispatchDeps) {
  const { db, clock, queue, notify } = deps
  const hostLanes = createHostLanes()

  async function queueAttempts(
    tx: Queryable,
    dispatches: readonly DispatchRow[],
    startAfterSeconds?: number,
  ): Promise<void> {
    const delay = startAfterSeconds === undefined ? {} : { startAfterSeconds }
    const jobs = dispatches.map(({ id, attempts, sellerId }) => ({
      payload: { dispatchId: id, attempt: attempts + 1 },
      group: sellerId,
      singletonKey: `${id}:${attempts + 1}`,
      ...delay,
    }))
    await queue.enqueueAll(tx, DISPATCH_TASK, jobs)
  }

  /** In one transaction with the job's own change. Locks in the order job, agent, dispatch, connection, as everybody does. */
  async function deliver(
    dispatch: DispatchRow,
    sellerId: string,
    { work, requestId, ...brought }: Brought,
  ): Promise<JobStatus> {
    const caller = { ownerId: sellerId, isAdmin: false }
    const move = deps.deliver({ jobId: dispatch.jobId, caller, requestId }, work)
    const prepared = await move.prepare()
    return db.transaction(async (tx) => {
      const { details } = await move.decide(tx, prepared)
      if (!(await saveDelivered(tx, dispatch.id, brought)))
        throw new AppError('CONFLICT', { message: 'The job is no longer with the agent.' })
      const { responseStatus } = brought
      const at = clock.now()
      if (responseStatus === null) await saveSeen(tx, dispatch.agentId, at)
      else await saveCall(tx, dispatch.agentId, { at, responseStatus, error: null })
      await forgetFailures(tx, dispatch.agentId)
      return details.status
    })
  }

  async function saveReply(dispatch: DispatchRow, reply: Exclude<Reply, { kind: 'RESULT' }>): Promise<void> {
    const now = clock.now()
    const attempt = dispatch.attempts + 1
    const error = reply.kind === 'FAILURE' ? reply.error : null
    await db.transaction(async (tx) => {
      const isSaved = await saveAttempt(
        tx,
        { dispatchId: dispatch.id, attempt },
        {
          state: reply.kind === 'FAILURE' ? 'PENDING' : 'WORKING',
          responseStatus: reply.status,
          error,
          nextAttemptAt: reply.kind === 'FAILURE' ? addSeconds(now, delayAfter(attempt)) : null,
        },
      )
      if (isSaved) await saveCall(tx, dispatch.agentId, { at: now, responseStatus: reply.status, error })
    })
  }

  async function follow(dispatch: DispatchRow, sellerId: string, reply: Reply): Promise<void> {
    if (reply.kind !== 'RESULT') return saveReply(dispatch, reply)
    const { work, status: responseStatus } = reply
    try {
      await deliver(dispatch, sellerId, {
        work,
        responseStatus,
        attempts: dispatch.attempts + 1,
        requestId: null,
      })
    } catch (error) {
      // What is wrong with the result is recorded, and sent along with the next attempt.
      if (!(error instanceof AppError)) throw error
      await saveReply(dispatch, { kind: 'FAILURE', status: responseStatus, error: reasonOf(error) })
    }
  }

  /** Undefined where another worker makes this attempt: an agent is asked once at a time. */
  async function call(
    order: Attempt,
    dispatch: DispatchRow,
    { connection, work }: { connection: ConnectionRow; work: Work },
  ): Promise<PostResult | undefined> {
    const token = callbackTokenOf(dispatch.id, deps.tokenSecret)
    const now = clock.now()
    const claim = { now, until: addSeconds(now, CLAIM_SECONDS), tokenHash: hashOfToken(token) }
    if (!(await claimAttempt(db, order, claim))) return undefined
    const message = messageOf(dispatch, work, { publicUrl: deps.publicUrl, token })
    return (await deps.callAgent[connection.kind](connection, message)).result
  }

  const stop = (dispatch: DispatchRow, error: string) =>
    endDispatch(db, dispatch.id, { state: 'STOPPED', error })

  /** The deadline has come and nothing was delivered: both sides are notified once. */
  async function giveUp(dispatch: DispatchRow): Promise<void> {
    const { id, agentId, jobId } = dispatch
    await db.transaction(async (tx) => {
      await deps.lockAgent(tx, agentId)
      const work = await deps.workOf(tx, jobId)
      if (!work?.isOpen) return void (await endDispatch(tx, id, { state: 'STOPPED', error: NOT_OPEN }))
      if (!(await endDispatch(tx, id, { state: 'FAILED', error: null }))) return
      await notify(tx, ...failureNotices(dispatch, work))
      // No client alone can take an agent off the market by orders that it cannot do.
      if (!work.isTelling || (await hasFailedFor(tx, dispatch, work.clientId))) return
      const count = await countFailure(tx, agentId)
      if (count === undefined || count % FAILURES_BEFORE_PAUSE !== 0) return
      const name = (await deps.agentOf(tx, agentId))?.name ?? 'The agent'
      const message = `${name} did not deliver ${FAILURES_BEFORE_PAUSE} jobs in a row, so it takes no new ones. Repair its connection, then resume it.`
      await deps.pauseAfterFailures(tx, agentId, message)
    })
  }

  return {
    deliver,

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
      if (dispatch?.state === 'PENDING') await queueAttempts(tx, [dispatch])
    },

    async attempt(order: Attempt): Promise<void> {
      const dispatch = await findAwaiting(db, order)
      if (!dispatch || dispatch.giveUpAt <= clock.now()) return
      const connection = await findConnection(db, dispatch.agentId)
      if (!connection) return void (await stop(dispatch, REMOVED))
      const work = await deps.workOf(db, dispatch.jobId)
      if (!work?.isOpen) return void (await stop(dispatch, NOT_OPEN))
      if (await isDeactivated(db, work.sellerId)) return void (await stop(dispatch, DEACTIVATED))
      const leave = hostLanes.enter(connection.url)
      if (!leave) return queueAttempts(db, [dispatch], HOST_BUSY_SECONDS)
      const result = await call(order, dispatch, { connection, work }).finally(leave)
      if (result) await follow(dispatch, work.sellerId, readReply(result))
    },

    /** Ends what is past its deadline, and queues what is to be tried again. */
    async keepUp(signal: AbortSignal): Promise<void> {
      const now = clock.now()
      for (const dispatch of await listExpired(db, now, BATCH)) {
        if (signal.aborted) return
        await giveUp(dispatch)
      }
      await queueAttempts(db, await listDue(db, now, { perSeller: DUE_PER_SELLER, limit: BATCH }))
    },

    nextDueAt: (after: Date) => findNextExpiry(db, after),
  }
}

export type Dispatches = ReturnType<typeof createDispatches>

export const REMOVED = 'The connection was removed.'
const NOT_OPEN = 'The job is no longer in progress.'
const NEXT_ROUND = 'The job was delivered by other means, and came back for changes.'
const DEACTIVATED = 'The account is deactivated.'
