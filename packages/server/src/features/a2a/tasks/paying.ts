import type { Task } from '@a2a-js/sdk'
import { AppError, type Issue } from '@agent-marketplace/contract'
import { JOB_PURPOSE, type PaidCall } from '../../../house/payments.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Caller } from '../caller.ts'
import type { NoticeTask } from '../push/looking.ts'
import { findTaskOfJob, insertTask, lockTask, type NewTask, saveJob } from '../store.ts'
import type { AskingForMore, DraftedTask, Wish } from './asking.ts'
import type { Reading, ReadingDeps } from './reading.ts'
import type { Said } from './said.ts'
import { carry, errorCodeOf } from './x402.ts'

export interface PayingDeps extends Pick<ReadingDeps, 'isPaid'> {
  db: Database
  orders: ReadingDeps['orders'] & {
    place: (
      call: PaidCall,
      wish: Wish,
      follow?: (tx: Transaction, jobId: string) => Promise<void>,
    ) => Promise<{ order: { jobId: string; ownerId: string }; isOpen: boolean }>
  }
  asking: AskingForMore
  reading: Reading
  noticeTask: NoticeTask
}

/** What a message led to: the task, and the job to follow where the caller may see it. */
export interface Turn {
  task: Task
  job?: OpenJob
}

export interface OpenJob {
  id: string
  contextId: string
  job: { id: string; ownerId: string }
}

/** Somebody has paid for the task before: another authorization is not to be settled. */
class TaskPaid extends Error {
  readonly jobId: string
  constructor(jobId: string) {
    super('the task is paid for already')
    this.jobId = jobId
  }
}

/** Of a task that is paid for with its first message, and so not stored yet. */
export type UnstoredTask = Omit<NewTask, 'jobId'>

/**
 * Takes the payment of a task. It promises: one task is paid for once, and one authorization makes one task, whatever is
 * repeated; the task and its order are stored together.
 */
export function createPaying({ db, orders, asking, reading, noticeTask, isPaid }: PayingDeps) {
  /** In the transaction that takes the payment. */
  async function claim(tx: Transaction, id: string, jobId: string): Promise<void> {
    const task = await lockTask(tx, id)
    if (!task || task.endedAt !== null)
      throw new AppError('CONFLICT', { message: 'This task was cancelled. Nothing was charged.' })
    if (task.jobId !== null && (await isPaid(tx, JOB_PURPOSE, task.jobId))) throw new TaskPaid(task.jobId)
    await saveJob(tx, id, jobId)
  }

  async function store(tx: Transaction, task: UnstoredTask, jobId: string): Promise<void> {
    if (await insertTask(tx, { ...task, jobId })) return
    throw new AppError('CONFLICT', { message: 'This messageId was used before. Nothing was charged.' })
  }

  /** The task of an order, which may have been paid for by another one. */
  async function taskFor(
    task: DraftedTask,
    jobId: string,
    isStored: boolean,
  ): Promise<{ id: string; contextId: string }> {
    if (isStored) {
      await db.transaction(async (tx) => {
        const known = await lockTask(tx, task.id)
        const isTaken = known?.jobId != null && (await isPaid(tx, JOB_PURPOSE, known.jobId))
        if (!known || isTaken) return
        await saveJob(tx, task.id, jobId)
        await noticeTask(tx, task.id)
      })
      return task
    }
    return (await findTaskOfJob(db, jobId)) ?? { id: jobId, contextId: jobId }
  }

  async function turnOf(
    { id, contextId }: { id: string; contextId: string },
    order: { jobId: string; ownerId: string },
    { isOpen, caller }: { isOpen: boolean; caller: Caller },
  ): Promise<Turn> {
    const job: OpenJob = { id, contextId, job: { id: order.jobId, ownerId: order.ownerId } }
    return isOpen ? { task: await reading.show(job, caller), job } : { task: await reading.showClosed(job) }
  }

  return async function pay(
    task: DraftedTask & { isOwn: boolean },
    payload: unknown,
    caller: Caller,
    { unstored, checkRoom }: Pick<Said, 'checkRoom'> & { unstored?: UnstoredTask },
  ): Promise<Turn> {
    const { isOwn } = task
    const services = await asking.servicesOf(task.agentWallet)
    const service = services.find(({ id }) => id === task.serviceId)
    if (!service) return { task: await asking.ask(task, caller, { isOwn }) }
    const wish = asking.wishOf(task, service)
    const { requestId, principal } = caller
    const carried = carry({ url: asking.pathOf(wish), requestId, principal, payload: payload ?? null })
    try {
      const { order, isOpen } = await orders.place(carried.call, wish, async (tx, jobId) => {
        await (unstored ? store(tx, unstored, jobId) : claim(tx, task.id, jobId))
        await checkRoom?.(tx)
      })
      // Anybody can read a settled authorization on chain and send it for a task of their own: that one stays theirs alone.
      const name = isOpen ? await taskFor(task, order.jobId, unstored === undefined) : task
      return await turnOf(name, order, { isOpen, caller })
    } catch (error) {
      if (error instanceof TaskPaid) {
        // The new authorization was verified and is not settled: the same payer may see what was paid for before.
        const order = await orders.find(error.jobId)
        if (!order) throw error
        return turnOf(task, order, { isOpen: order.payer === payerIn(payload), caller })
      }
      if (!(error instanceof AppError)) throw error
      const known = unstored ? undefined : await reading.find(task.id, caller)
      if (known?.job) {
        const { id: jobId, ownerId } = known.job
        return turnOf(task, { jobId, ownerId }, { isOpen: known.isOpen, caller })
      }
      if (error.code === 'VALIDATION_ERROR' && !isAboutPayment(error))
        return { task: await asking.ask(task, caller, { isOwn }) }
      const code = failureOf(error)
      if (code === undefined) throw error
      const because = { code, receipt: carried.receipt() }
      return { task: await asking.ask(task, caller, { isOwn, because }) }
    }
  }
}

export type Pay = ReturnType<typeof createPaying>

function payerIn(payload: unknown): string | undefined {
  const { payload: exact } = payload as { payload?: { authorization?: { from?: unknown } } }
  const from = exact?.authorization?.from
  return typeof from === 'string' ? from.toLowerCase() : undefined
}

const paymentFields = new Set(['PAYMENT-SIGNATURE', 'payment-identifier'])

const isAboutPayment = ({ details }: AppError): boolean =>
  ((details.issues ?? []) as Issue[]).some(({ path }) => paymentFields.has(path))

function failureOf({ code, details }: AppError): string | undefined {
  if (code === 'CONFLICT') return 'DUPLICATE_NONCE'
  if (code !== 'PAYMENT_REQUIRED') return undefined
  return errorCodeOf(String(details.reason ?? ''))
}
