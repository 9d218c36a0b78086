import { AppError, type ProgressBody } from '@agent-marketplace/contract'
import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Delivering } from '../dispatching/delivering.ts'
import { type DispatchRow, reopenDispatch } from '../dispatching/dispatch-store.ts'
import { inSellersName, type SellersCaller } from '../in-sellers-name.ts'
import type { Reply, Said } from '../reply.ts'
import { checkWork, delayAfter, reasonOf } from '../rules.ts'
import { saveCall } from '../store.ts'
import type { Result } from './read-files.ts'
import { lookDelayAfter, reportOf } from './rules.ts'
import { endTask, type LookOrder, latestLookOf, saveLook, type TaskRow } from './task-store.ts'

export interface FollowTaskDeps {
  db: Database
  clock: Clock
  delivering: Delivering
  /** Both in the seller's name. */
  reportProgress: (
    tx: Transaction,
    jobId: string,
    caller: SellersCaller,
    report: ProgressBody,
  ) => Promise<unknown>
  sendMessage: (
    tx: Transaction,
    jobId: string,
    caller: SellersCaller,
    message: { text: string },
  ) => Promise<{ seq: bigint }>
}

type TaskReply = Extract<Reply, { kind: 'TASK' }>

/** A later poll has begun, or the task has ended: this one changes nothing. */
class Outdated extends Error {
  override readonly name = 'Outdated'
}

const MAX_SEEN = 200
/** Longer than it takes to fetch the files of a result: nobody else begins with it meanwhile. */
const FILES_SECONDS = 90

/** Applies the state of an agent's task: reports become progress, a question a message to the buyer, the result a delivery. */
export function createTaskFollowing(deps: FollowTaskDeps) {
  const { db, clock, delivering } = deps

  /** All of it, or nothing where it is outdated; returns which. */
  async function inTime(change: (tx: Transaction) => Promise<void>): Promise<boolean> {
    try {
      await db.transaction(change)
      return true
    } catch (error) {
      if (error instanceof Outdated) return false
      throw error
    }
  }

  /** In one transaction, so that each is passed on once. */
  function passOn(dispatch: DispatchRow, row: TaskRow, { task, status }: TaskReply): Promise<boolean> {
    const { jobId, agentId, sellerId } = dispatch
    const caller = inSellersName(sellerId)
    const { stage, reports } = task
    const hasFiles = stage.kind === 'DONE' && stage.files.length > 0
    return inTime(async (tx) => {
      const seen = new Set(row.seen)
      const isNew = ({ id }: Said) => !seen.has(id)
      for (const said of reports.filter(isNew)) {
        if ((await pass(deps.reportProgress(tx, jobId, caller, reportOf(said.text)))) === 'LATER') break
        seen.add(said.id)
      }
      let { askedId, askedSeq, replySeq } = row
      if (stage.kind === 'ASKING' && isNew(stage.question)) {
        const asked = await pass(deps.sendMessage(tx, jobId, caller, { text: stage.question.text }))
        if (asked !== 'LATER') seen.add(stage.question.id)
        if (typeof asked === 'object')
          [askedId, askedSeq, replySeq] = [stage.question.id, asked.value.seq, null]
      }
      const at = clock.now()
      const quietLooks = seen.size > row.seen.length ? 0 : row.quietLooks + 1
      const outcome = {
        seen: [...seen].slice(-MAX_SEEN),
        askedId,
        askedSeq,
        replySeq,
        quietLooks,
        nextLookAt: addSeconds(at, hasFiles ? FILES_SECONDS : lookDelayAfter(quietLooks)),
      }
      if (!(await saveLook(tx, latestLookOf(row), outcome))) throw new Outdated()
      await saveCall(tx, agentId, { at, responseStatus: status, error: null })
    })
  }

  /** The job goes to the agent again, after a while. */
  async function fail(
    dispatch: DispatchRow,
    look: LookOrder,
    { how, error, status }: { how: 'ENDED' | 'LOST'; error: string; status: number | null },
  ): Promise<void> {
    const at = clock.now()
    await inTime(async (tx) => {
      const nextAttemptAt = addSeconds(at, delayAfter(dispatch.attempts))
      if (!(await reopenDispatch(tx, dispatch.id, { error, nextAttemptAt }))) return
      if (!(await endTask(tx, look, how))) throw new Outdated()
      await saveCall(tx, dispatch.agentId, { at, responseStatus: status, error })
    })
  }

  async function finish(
    dispatch: DispatchRow,
    look: LookOrder,
    status: number,
    given: Result,
  ): Promise<void> {
    const { attempts } = dispatch
    const checked = checkWork(status, given.work, given.files)
    if (checked.kind !== 'RESULT')
      return fail(dispatch, look, {
        how: 'ENDED',
        status,
        error: checked.kind === 'FAILURE' ? checked.error : '',
      })
    try {
      const { work, files } = checked
      await delivering(dispatch, { work, files, attempts, responseStatus: status, requestId: null })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (isPassing(error)) {
        // The task keeps its result: the next poll delivers it.
        const call = { at: clock.now(), responseStatus: status, error: reasonOf(error) }
        return saveCall(db, dispatch.agentId, call)
      }
      // What is wrong with the result is recorded, and sent along with the next message.
      await fail(dispatch, look, { how: 'ENDED', status, error: reasonOf(error) })
    }
  }

  return {
    fail,

    async follow(dispatch: DispatchRow, row: TaskRow, reply: TaskReply): Promise<void> {
      if (!(await passOn(dispatch, row, reply))) return
      const { status } = reply
      const { stage } = reply.task
      const look = latestLookOf(row)
      if (stage.kind === 'DONE') await finish(dispatch, look, status, stage)
      if (stage.kind === 'ENDED') await fail(dispatch, look, { how: 'ENDED', status, error: stage.error })
    },

    /** The agent could not be reached: its task is polled again, with growing pauses. */
    async saveQuiet(
      dispatch: DispatchRow,
      row: TaskRow,
      status: number | null,
      error: string,
    ): Promise<void> {
      const at = clock.now()
      const quietLooks = row.quietLooks + 1
      const nextLookAt = addSeconds(at, lookDelayAfter(quietLooks))
      await inTime(async (tx) => {
        if (!(await saveLook(tx, latestLookOf(row), { ...row, quietLooks, nextLookAt }))) throw new Outdated()
        await saveCall(tx, dispatch.agentId, { at, responseStatus: status, error })
      })
    },
  }
}

/** Nothing is wrong with what was to be passed on. */
const isPassing = ({ code }: AppError): boolean => code === 'RATE_LIMIT_EXCEEDED' || code === 'UNAVAILABLE'

/** LATER where a limit of the job's room requires it; what the room always rejects is skipped. */
async function pass<T>(passing: Promise<T>): Promise<{ value: T } | 'LATER' | 'NEVER'> {
  try {
    return { value: await passing }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return isPassing(error) ? 'LATER' : 'NEVER'
  }
}

export type TaskFollowing = ReturnType<typeof createTaskFollowing>
