import { AppError } from '@agent-marketplace/contract'
import type { Tick } from '../../house/feature.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { createDueWork, type DuePlace } from '../../platform/queue/due-work.ts'
import type { Actions } from './lifecycle/actions.ts'
import type { DecisionDeps } from './lifecycle/decisions.ts'
import { type DueQueue, findNextDue, listDueJobs } from './lifecycle/due-store.ts'
import { lockJob } from './lifecycle/store.ts'
import { announceMissedDeadline } from './recourse/missed-deadline.ts'
import { storeUndelivered } from './recourse/undelivered.ts'

const BATCH = 200

/** Each queue of jobs that wait for a time, and the tick that looks at it. */
const tickOf: Record<DueQueue, string> = {
  funding: 'jobs-funding',
  review: 'jobs-review',
  dispute: 'jobs-dispute',
  delivery: 'jobs-deadline',
  owed: 'jobs-undelivered',
}
const dueQueues = ['funding', 'review', 'dispute', 'delivery', 'owed'] as const
const INTERVAL_SECONDS = 10

export interface TickDeps extends Pick<DecisionDeps, 'newId' | 'notify' | 'followUndelivered'> {
  db: Database
  clock: Clock
  actions: Pick<Actions, 'expire' | 'autoRelease' | 'lapse'>
  /** The time up to which the books know the chain. */
  timeOfBooks: () => Promise<Date>
}

type DueWork = (tx: Transaction, jobId: string, now: Date) => Promise<unknown>

/**
 * What falls due by time alone. Each job is decided in a transaction of its own, by the table like any other.
 * The clock of this machine and the books must both have come to it: the escrow lets the operator release before the
 * review window ends, for the client's sake, so a clock that went wrong here would pay out what is still under review, and
 * books that are behind the chain may not have read that the client asked for changes.
 */
export function jobsTicks(deps: TickDeps): Tick[] {
  const { db, clock, actions } = deps

  const each = (queue: DueQueue, work: DueWork) => {
    const run = createDueWork<DuePlace, Date>({
      list: (after, now) => listDueJobs(db, queue, { now, after, limit: BATCH }),
      work: ({ id }, now) => db.transaction((tx) => work(tx, id, now)).catch(passOver),
    })
    return async (signal: AbortSignal): Promise<void> =>
      run(earlierOf(clock.now(), await deps.timeOfBooks()), signal)
  }

  const workOf: Record<DueQueue, DueWork> = {
    funding: actions.expire,
    review: actions.autoRelease,
    dispute: actions.lapse,
    delivery: (tx, jobId, now) => announceMissedDeadline(tx, deps, { jobId, now, why: null }),
    owed: async (tx, jobId, now) => {
      const job = await lockJob(tx, jobId)
      if (job) await storeUndelivered(tx, deps, job, now)
    },
  }
  return dueQueues.map((queue) => ({
    name: tickOf[queue],
    seconds: INTERVAL_SECONDS,
    handler: each(queue, workOf[queue]),
    nextDueAt: (after) => findNextDue(db, queue, after),
  }))
}

const earlierOf = (one: Date, other: Date): Date => (one < other ? one : other)

/** Somebody moved it first, or the chain has yet to follow: the next tick looks again. */
function passOver(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'INVALID_STATE') throw error
}
