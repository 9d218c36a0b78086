import { AppError, type JobProgress, type JobStatus, type ProgressBody } from '@agent-marketplace/contract'
import type { Work } from '../../house/work.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Delivering } from './dispatching/delivering.ts'
import { type DispatchRow, findByTokenHash, hasLaterRound } from './dispatching/dispatch-store.ts'
import type { FindWork } from './dispatching/readiness.ts'
import type { Probes } from './liveness/probes.ts'
import { hashOfToken } from './message.ts'
import type { DeliveredWork } from './reply.ts'
import { isDeactivated, saveSeen } from './store.ts'

export interface CallbackDeps {
  workOf: FindWork
  db: Database
  clock: Clock
  delivering: Delivering
  markSeen: Probes['markSeen']
  statusOf: (jobId: string, sellerId: string) => Promise<JobStatus>
  /** In the seller's name. */
  reportProgress: (
    tx: Transaction,
    jobId: string,
    caller: { ownerId: string; isAdmin: boolean },
    report: ProgressBody,
  ) => Promise<JobProgress>
}

export interface CallbackCall {
  jobId: string
  token: string | undefined
  requestId: string
}

/** What agents report after a 202. A token speaks for one round of one job, as long as the agent has it. */
export function createCallbacks(deps: CallbackDeps) {
  const { db, clock, delivering, statusOf, workOf } = deps

  async function authorise({ jobId, token }: CallbackCall): Promise<{ dispatch: DispatchRow; work: Work }> {
    const dispatch = token === undefined ? undefined : await findByTokenHash(db, hashOfToken(token))
    if (!dispatch)
      throw new AppError('UNAUTHORIZED', { message: 'Send the token of the callback as the Bearer token.' })
    if (dispatch.jobId !== jobId)
      throw new AppError('FORBIDDEN', { message: 'This token is for another job.' })
    const work = await workOf(db, jobId)
    if (!work || (await isDeactivated(db, work.sellerId))) throw ended('the account is deactivated')
    if (dispatch.state === 'FAILED' || dispatch.state === 'STOPPED')
      throw ended('the job is not with the agent any more')
    if (dispatch.state !== 'DELIVERED' && dispatch.giveUpAt <= clock.now())
      throw ended('the deadline has passed')
    return { dispatch, work }
  }

  /** What a repeated delivery finds. After a request for changes, it would bring work of a round that is over. */
  async function statusAfter(dispatch: DispatchRow, sellerId: string): Promise<JobStatus> {
    const status = await statusOf(dispatch.jobId, sellerId)
    if (status !== 'IN_PROGRESS' && !(await hasLaterRound(db, dispatch.id))) return status
    throw new AppError('CONFLICT', {
      message:
        'The work of this token is delivered, and changes were requested since. Use the token of the new round.',
    })
  }

  return {
    /** In whose name the token speaks, until the job is delivered. */
    async sellerOf(call: CallbackCall): Promise<{ ownerId: string; isAdmin: boolean }> {
      const { dispatch, work } = await authorise(call)
      if (dispatch.state === 'DELIVERED') throw ended('the job is delivered')
      return { ownerId: work.sellerId, isAdmin: false }
    },

    async reportProgress(call: CallbackCall, report: ProgressBody): Promise<JobProgress> {
      const { dispatch, work } = await authorise(call)
      if (dispatch.state === 'DELIVERED') throw ended('the job is delivered')
      const caller = { ownerId: work.sellerId, isAdmin: false }
      const reported = await db.transaction(async (tx) => {
        const progress = await deps.reportProgress(tx, call.jobId, caller, report)
        await saveSeen(tx, dispatch.agentId, clock.now())
        return progress
      })
      await deps.markSeen(dispatch.agentId)
      return reported
    },

    /** Repeating it finds the work delivered, and changes nothing. */
    async deliver(call: CallbackCall, delivered: DeliveredWork): Promise<JobStatus> {
      const { dispatch, work } = await authorise(call)
      if (dispatch.state === 'DELIVERED') return statusAfter(dispatch, work.sellerId)
      const { attempts } = dispatch
      const brought = {
        work: delivered,
        files: [],
        attempts,
        responseStatus: null,
        requestId: call.requestId,
      }
      try {
        const status = await delivering(dispatch, brought)
        await deps.markSeen(dispatch.agentId)
        return status
      } catch (error) {
        // The same call, a moment earlier.
        if ((await authorise(call)).dispatch.state !== 'DELIVERED') throw error
        return statusAfter(dispatch, work.sellerId)
      }
    },
  }
}

export type Callbacks = ReturnType<typeof createCallbacks>

const ended = (why: string) =>
  new AppError('UNAUTHORIZED', { message: `This token is no longer valid: ${why}.` })
