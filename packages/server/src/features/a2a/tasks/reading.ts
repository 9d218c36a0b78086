import type { Task } from '@a2a-js/sdk'
import { TaskNotFoundError } from '@a2a-js/sdk/errors'
import { AppError, type JobDetail, type JobMessage, type JobProgress } from '@agent-marketplace/contract'
import { JOB_PURPOSE, type PaidCalls } from '../../../house/payments.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { isByKey, type Reader } from '../caller.ts'
import { findTask, type TaskRow } from '../store.ts'
import type { TaskName } from './parts.ts'
import { taskClosed, taskOfJob } from './present.ts'
import { carry } from './x402.ts'

/** The history holds at most this many reports and messages of a job. */
const HISTORY_LENGTH = 50

export interface ReadingDeps {
  db: Queryable
  publicUrl: URL
  orders: {
    find: (jobId: string) => Promise<{ jobId: string; ownerId: string; payer: string } | undefined>
    tokens: { of: (id: string) => string; opens: (id: string, token: string) => boolean }
  }
  readJob: (jobId: string, ownerId: string) => Promise<JobDetail>
  newestProgress: (viewer: Viewer, page: { jobId: string; limit: number }) => Promise<JobProgress[]>
  newestMessages: (viewer: Viewer, page: { jobId: string; limit: number }) => Promise<JobMessage[]>
  paidCalls: Pick<PaidCalls, 'findPayment'>
  isPaid: (db: Queryable, purpose: string, reference: string) => Promise<boolean>
}

interface Viewer {
  ownerId: string
  isAdmin: boolean
}

/** A task that is there, and whether this caller may see what is in it. */
export interface FoundTask extends TaskName {
  row: TaskRow | undefined
  /** The job that it is, and whose: undefined while it is not paid for. */
  job: { id: string; ownerId: string } | undefined
  isOpen: boolean
}

/** A task of somebody else and one that never was look the same. */
export const unknownTask = () => new TaskNotFoundError('There is no such task.')

/**
 * Finds tasks and shows them. To open one takes the account that began or paid for it, or its token: its id alone opens
 * nothing, because ids are passed on.
 */
export function createReading(deps: ReadingDeps) {
  const { db, orders } = deps
  const opens = ({ token }: Reader, id: string): boolean =>
    token !== undefined && orders.tokens.opens(id, token)
  const isOwner = ({ principal }: Reader, ownerId: string | null): boolean =>
    principal !== undefined && principal.ownerId === ownerId

  async function jobOf({ jobId }: TaskRow): Promise<FoundTask['job']> {
    if (jobId === null || !(await deps.isPaid(db, JOB_PURPOSE, jobId))) return undefined
    const order = await orders.find(jobId)
    return order && { id: jobId, ownerId: order.ownerId }
  }

  async function foundRow(row: TaskRow, caller: Reader): Promise<FoundTask> {
    const { id, contextId } = row
    const job = await jobOf(row)
    const isMine = opens(caller, id) || isOwner(caller, row.ownerId)
    const isOpen = isMine || (job !== undefined && (isOwner(caller, job.ownerId) || opens(caller, job.id)))
    return { id, contextId, row, job, isOpen }
  }

  /** A job that was ordered elsewhere is a task of its client, under its own id. */
  async function foundJob(id: string, caller: Reader): Promise<FoundTask | undefined> {
    const order = opens(caller, id) ? await orders.find(id) : undefined
    const ownerId = order?.ownerId ?? caller.principal?.ownerId
    if (ownerId === undefined) return undefined
    const job = await readOrUndefined(id, ownerId)
    const isForAgent = !caller.agentWallet || job?.agent.walletAddress.toLowerCase() === caller.agentWallet
    if (job?.clientId !== ownerId || !isForAgent) return undefined
    return { id, contextId: id, row: undefined, job: { id, ownerId }, isOpen: true }
  }

  async function readOrUndefined(id: string, ownerId: string): Promise<JobDetail | undefined> {
    try {
      return await deps.readJob(id, ownerId)
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
      throw error
    }
  }

  async function find(id: string, caller: Reader): Promise<FoundTask> {
    const row = await findTask(db, id)
    if (row && (!caller.agentWallet || row.agentWallet === caller.agentWallet)) return foundRow(row, caller)
    const found = row ? undefined : await foundJob(id, caller)
    if (found) return found
    throw unknownTask()
  }

  return {
    find,

    /** The same for what only its own caller may do. */
    async findOwn(id: string, caller: Reader): Promise<FoundTask> {
      const found = await find(id, caller)
      if (found.isOpen) return found
      throw unknownTask()
    },

    /** The job as a task, with all that its caller may know. */
    async show(
      found: TaskName & { job: NonNullable<FoundTask['job']>; row?: TaskRow | undefined },
      caller: Reader,
      { withTokens = true } = {},
    ): Promise<Task> {
      const { id: jobId, ownerId } = found.job
      const viewer = { ownerId, isAdmin: false }
      const page = { jobId, limit: HISTORY_LENGTH }
      const [job, progress, messages, receipt] = await Promise.all([
        deps.readJob(jobId, ownerId),
        deps.newestProgress(viewer, page),
        deps.newestMessages(viewer, page),
        receiptOf(jobId),
      ])
      const orderUrl = new URL(`/api/orders/${jobId}`, deps.publicUrl).href
      // A key of the client opens files by itself.
      const isByOwnKey = isByKey(caller) && isOwner(caller, ownerId)
      const tokenQuery = isByOwnKey || !withTokens ? '' : `?token=${orders.tokens.of(jobId)}`
      const fileUrl = (fileId: string) => `${orderUrl}/files/${fileId}${tokenQuery}`
      const metadata = { jobId, ...(withTokens && !isByKey(caller) && { token: orders.tokens.of(found.id) }) }
      return taskOfJob(found, { job, progress, messages, receipt, fileUrl }, metadata)
    },

    /** How far it is, for a caller who has shown no more than its id. */
    async showClosed(found: TaskName & { job: NonNullable<FoundTask['job']> }): Promise<Task> {
      return taskClosed(found, { job: await deps.readJob(found.job.id, found.job.ownerId) }, CLOSED)
    },
  }

  async function receiptOf(jobId: string): Promise<unknown> {
    const carried = carry({ url: '/', requestId: jobId, principal: undefined })
    await deps.paidCalls.findPayment(carried.call, { purpose: JOB_PURPOSE, reference: jobId })
    return carried.receipt()
  }
}

const CLOSED =
  'This task is paid for. Its result opens with the token from metadata.token of the first response, sent as Authorization: ' +
  'Bearer, or to the account of the wallet that paid.'

export type Reading = ReturnType<typeof createReading>
