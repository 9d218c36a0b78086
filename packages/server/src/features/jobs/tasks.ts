import { AppError } from '@agent-marketplace/contract'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Actions } from './actions.ts'
import { noticesOf } from './announcements.ts'
import type { DecisionDeps } from './decisions.ts'
import { insertEvent } from './history-store.ts'
import { type DueQueue, listDueJobs, lockJob, saveJob } from './store.ts'

const BATCH = 200
const INTERVAL_SECONDS = 10

export interface TickDeps extends Pick<DecisionDeps, 'newId' | 'notify'> {
  db: Database
  clock: Clock
  actions: Pick<Actions, 'expire' | 'autoRelease' | 'lapse'>
  /** The time as the chain has it. */
  timeOfChain: () => Promise<Date>
}

export interface JobsTick {
  name: string
  seconds: number
  handler: (signal: AbortSignal) => Promise<void>
}

/**
 * What falls due without anybody asking. Each job is decided in a transaction of its own, by the table like any other.
 * The clock of this machine and the chain's must both have come to it: the escrow lets the operator release before the
 * review window ends, for the client's sake, so a clock that went wrong here would pay out what is still under review.
 */
export function jobsTicks(deps: TickDeps): JobsTick[] {
  const { db, clock, actions } = deps

  const each =
    (queue: DueQueue, work: (tx: Transaction, jobId: string, now: Date) => Promise<unknown>) =>
    async (signal: AbortSignal): Promise<void> => {
      const now = earlierOf(clock.now(), await deps.timeOfChain())
      for (const jobId of await listDueJobs(db, queue, now, BATCH)) {
        if (signal.aborted) return
        await db.transaction((tx) => work(tx, jobId, now)).catch(passOver)
      }
    }

  return [
    { name: 'jobs-funding', seconds: INTERVAL_SECONDS, handler: each('funding', actions.expire) },
    { name: 'jobs-review', seconds: INTERVAL_SECONDS, handler: each('review', actions.autoRelease) },
    { name: 'jobs-dispute', seconds: INTERVAL_SECONDS, handler: each('dispute', actions.lapse) },
    {
      name: 'jobs-deadline',
      seconds: INTERVAL_SECONDS,
      handler: each('delivery', (tx, jobId, now) => tellMissedDeadline(tx, deps, { jobId, now })),
    },
  ]
}

const earlierOf = (one: Date, other: Date): Date => (one < other ? one : other)

/** Somebody moved it first, or the chain has yet to follow: the next tick looks again. */
function passOver(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'INVALID_STATE') throw error
}

async function tellMissedDeadline(
  tx: Transaction,
  { newId, notify }: TickDeps,
  { jobId, now }: { jobId: string; now: Date },
): Promise<void> {
  const job = await lockJob(tx, jobId)
  if (job?.status !== 'IN_PROGRESS' || job.deadline_told || job.due_at === null || job.due_at > now) return
  const message = 'The deadline has passed. From 24 hours after it the client may cancel.'
  await saveJob(tx, { ...job, deadline_told: true })
  await insertEvent(tx, { id: newId(), jobId, type: 'DEADLINE_MISSED', actor: 'PLATFORM', message, at: now })
  await notify(tx, ...noticesOf(job, 'PLATFORM', { type: 'SYSTEM_ALERT', title: 'Deadline missed', message }))
}
