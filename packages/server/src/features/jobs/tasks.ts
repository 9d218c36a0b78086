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
}

export interface JobsTick {
  name: string
  seconds: number
  handler: (signal: AbortSignal) => Promise<void>
}

/** What falls due without anybody asking. Each job is decided in a transaction of its own, by the table like any other. */
export function jobsTicks(deps: TickDeps): JobsTick[] {
  const { db, clock, actions } = deps

  const each =
    (queue: DueQueue, work: (tx: Transaction, jobId: string) => Promise<unknown>) =>
    async (signal: AbortSignal): Promise<void> => {
      for (const jobId of await listDueJobs(db, queue, clock.now(), BATCH)) {
        if (signal.aborted) return
        await db.transaction((tx) => work(tx, jobId)).catch(passOver)
      }
    }

  return [
    { name: 'jobs-funding', seconds: INTERVAL_SECONDS, handler: each('funding', actions.expire) },
    { name: 'jobs-review', seconds: INTERVAL_SECONDS, handler: each('review', actions.autoRelease) },
    { name: 'jobs-dispute', seconds: INTERVAL_SECONDS, handler: each('dispute', actions.lapse) },
    {
      name: 'jobs-deadline',
      seconds: INTERVAL_SECONDS,
      handler: each('delivery', (tx, jobId) => tellMissedDeadline(tx, deps, jobId)),
    },
  ]
}

/** Somebody moved it first, or the chain has yet to follow: the next tick looks again. */
function passOver(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'INVALID_STATE') throw error
}

async function tellMissedDeadline(
  tx: Transaction,
  { clock, newId, notify }: TickDeps,
  jobId: string,
): Promise<void> {
  const job = await lockJob(tx, jobId)
  const now = clock.now()
  if (job?.status !== 'IN_PROGRESS' || job.deadline_told || job.due_at === null || job.due_at > now) return
  const message = 'The deadline has passed. From 24 hours after it the client may cancel.'
  await saveJob(tx, { ...job, deadline_told: true })
  await insertEvent(tx, { id: newId(), jobId, type: 'DEADLINE_MISSED', actor: 'PLATFORM', message, at: now })
  await notify(tx, ...noticesOf(job, 'PLATFORM', { type: 'SYSTEM_ALERT', title: 'Deadline missed', message }))
}
