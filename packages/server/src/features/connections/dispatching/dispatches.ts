import { AppError, type JobStatus } from '@agent-marketplace/contract'
import type { Happenings } from '../../../house/happenings.ts'
import type { Steps } from '../../../house/steps.ts'
import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { PostResult } from '../../../platform/outbound/guarded-post.ts'
import { createHostLanes } from '../../../platform/outbound/host-lanes.ts'
import type { Queue } from '../../../platform/queue/queue.ts'
import type { CallAgent } from '../call-agent.ts'
import { callbackTokenOf, dispatchIdOf, hashOfToken, messageOf, type Work } from '../message.ts'
import { type DeliveredWork, delayAfter, type Reply, readReply, reasonOf } from '../rules.ts'
import {
  type ConnectionRow,
  findConnection,
  forgetFailures,
  isDeactivated,
  saveCall,
  saveSeen,
} from '../store.ts'
import { queueAttempts } from './attempt-queue.ts'
import {
  type Attempt,
  claimAttempt,
  type DispatchRow,
  endDispatch,
  findAwaiting,
  findNextExpiry,
  listDue,
  listExpired,
  openDispatch,
  saveAttempt,
  saveDelivered,
  stopOtherRounds,
} from './dispatch-store.ts'
import { createGivingUp, type GivingUpDeps, NOT_OPEN } from './giving-up.ts'

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

export interface DispatchDeps extends GivingUpDeps {
  clock: Clock
  queue: Pick<Queue, 'enqueueAll'>
  publicUrl: URL
  tokenSecret: string
  callAgent: Record<ConnectionRow['kind'], CallAgent>
  deliver: Deliver
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
  const { db, clock, queue } = deps
  const hostLanes = createHostLanes()

  /** In one transaction with the job's own change. Locks in the order job, agent, dispatch, connection, as everybody does. */
  async function deliver(
    dispatch: DispatchRow,
    { work, requestId, ...brought }: Brought,
  ): Promise<JobStatus> {
    const caller = { ownerId: dispatch.sellerId, isAdmin: false }
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

  async function follow(dispatch: DispatchRow, reply: Reply): Promise<void> {
    if (reply.kind !== 'RESULT') return saveReply(dispatch, reply)
    const { work, status: responseStatus } = reply
    try {
      await deliver(dispatch, {
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

  const giveUp = createGivingUp(deps)

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
      if (dispatch?.state === 'PENDING') await queueAttempts(tx, queue, [dispatch])
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
      if (!leave) return queueAttempts(db, queue, [dispatch], HOST_BUSY_SECONDS)
      const result = await call(order, dispatch, { connection, work }).finally(leave)
      if (result) await follow(dispatch, readReply(result))
    },

    /** Ends what is past its deadline, and queues what is to be tried again. */
    async keepUp(signal: AbortSignal): Promise<void> {
      const now = clock.now()
      for (const dispatch of await listExpired(db, now, BATCH)) {
        if (signal.aborted) return
        await giveUp(dispatch)
      }
      await queueAttempts(db, queue, await listDue(db, now, { perSeller: DUE_PER_SELLER, limit: BATCH }))
    },

    nextDueAt: (after: Date) => findNextExpiry(db, after),
  }
}

export type Dispatches = ReturnType<typeof createDispatches>

export const REMOVED = 'The connection was removed.'
const NEXT_ROUND = 'The job was delivered by other means, and came back for changes.'
const DEACTIVATED = 'The account is deactivated.'
