import { LEAST_UNDELIVERED_MICRO } from '@agent-marketplace/contract'
import { addSeconds } from '../../../platform/clock/clock.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { type JobRow, keepsPay } from '../lifecycle/job.ts'
import { listUndelivered, saveJob } from '../lifecycle/store.ts'

/** Lets the agent follow a change of its undelivered jobs. */
export type FollowUndelivered = (
  tx: Transaction,
  agentId: string,
  listDueTimes: (tx: Transaction) => Promise<Date[]>,
) => Promise<void>

/** The clocks of an x402 job, which begin with its payment. */
export function clocksFrom(
  paidAt: Date,
  job: Pick<JobRow, 'deadlineAt' | 'deliveryHours' | 'counts' | 'priceMicro'>,
): Pick<JobRow, 'paidAt' | 'dueAt' | 'owedAt'> {
  const wholeSecond = new Date(Math.floor(paidAt.getTime() / 1000) * 1000)
  const promisedAt = addSeconds(wholeSecond, job.deliveryHours * 3600)
  const dueAt = job.deadlineAt ?? promisedAt
  // A client may set a short deadline, and has the rights that follow. The agent is judged by the time that it promised.
  const owedAt = new Date(Math.max(dueAt.getTime(), promisedAt.getTime()))
  const mayCount = job.counts && job.priceMicro >= LEAST_UNDELIVERED_MICRO
  return { paidAt, dueAt, owedAt: mayCount ? owedAt : null }
}

/** Whether it counts against its agent: paid for, and neither delivered nor refunded in time. */
export function isUndelivered(job: JobRow, now: Date): boolean {
  const isOpen = job.status === 'IN_PROGRESS' || job.status === 'CANCELLED'
  return isOpen && keepsPay(job) && job.owedAt !== null && job.owedAt <= now
}

/** Writes down whether a locked job counts against its agent now, and lets the agent follow. */
export async function storeUndelivered(
  tx: Transaction,
  { followUndelivered }: { followUndelivered: FollowUndelivered },
  job: JobRow,
  now: Date,
): Promise<JobRow> {
  const undelivered = isUndelivered(job, now)
  if (undelivered === job.undelivered) return job
  const changed = { ...job, undelivered }
  await saveJob(tx, changed)
  await followUndelivered(tx, job.agentId, (queryable) => listUndelivered(queryable, job.agentId))
  return changed
}
