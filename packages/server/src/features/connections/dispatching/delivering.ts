import { AppError, type JobStatus } from '@agent-marketplace/contract'
import type { Steps } from '../../../house/steps.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { inSellersName, type SellersCaller } from '../in-sellers-name.ts'
import { saveFirstProgress } from '../liveness/liveness-store.ts'
import type { AgentFile, DeliveredWork } from '../reply.ts'
import { withFiles } from '../rules.ts'
import { forgetFailures, saveCall, saveSeen } from '../store.ts'
import type { BringFiles } from './bring-files.ts'
import { type DispatchRow, saveDelivered } from './dispatch-store.ts'

/** A delivery in the seller's name, by the same steps as the seller's own call. */
export type Deliver = (
  wish: { jobId: string; caller: SellersCaller; requestId: string | null },
  work: DeliveredWork,
) => Steps<unknown, { details: { status: JobStatus } }>

export interface DeliveringDeps {
  db: Database
  clock: Clock
  deliver: Deliver
  bringFiles: BringFiles
}

/** What the agent delivered, and in which attempt; a callback has none. */
export interface Brought {
  work: DeliveredWork
  files: readonly AgentFile[]
  attempts: number
  responseStatus: number | null
  requestId: string | null
}

/**
 * In one transaction with the job's own change, after the files were stored in the job: storing them again finds them
 * there, so the work is delivered once, whatever crashes in between. Locks in the order job, agent, dispatch, connection, as
 * everybody does.
 */
export function createDelivering({ db, clock, deliver, bringFiles }: DeliveringDeps) {
  return async (
    dispatch: DispatchRow,
    { work, files, requestId, ...brought }: Brought,
  ): Promise<JobStatus> => {
    const caller = inSellersName(dispatch.sellerId)
    const ids = await bringFiles(dispatch, files)
    const move = deliver({ jobId: dispatch.jobId, caller, requestId }, withFiles(work, ids))
    const prepared = await move.prepare()
    return db.transaction(async (tx) => {
      const { details } = await move.decide(tx, prepared)
      const at = clock.now()
      await saveFirstProgress(tx, dispatch.jobId, at)
      if (!(await saveDelivered(tx, dispatch.id, brought)))
        throw new AppError('CONFLICT', { message: 'The job is no longer with the agent.' })
      const { responseStatus } = brought
      if (responseStatus === null) await saveSeen(tx, dispatch.agentId, at)
      else await saveCall(tx, dispatch.agentId, { at, responseStatus, error: null })
      await forgetFailures(tx, dispatch.agentId)
      return details.status
    })
  }
}

export type Delivering = ReturnType<typeof createDelivering>
