import type { Spend } from '../../../house/budgets.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { type Caller, type JudgeDeps, lockFor, unknownJob } from '../lifecycle/decisions.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { checkHireable } from '../lifecycle/rules.ts'
import { findHires } from '../lifecycle/store.ts'

/**
 * Locks a job that may be paid for now, or throws. A hire is whole when it is paid: an agent that was rejected, paused or
 * whose owner was suspended meanwhile takes no money for work that it may not begin.
 */
export async function lockForPayment(
  tx: Queryable,
  deps: JudgeDeps,
  { jobId, caller }: { jobId: string; caller: Caller },
): Promise<JobRow> {
  const { job } = await lockFor(tx, deps, { jobId, action: 'PAY', caller })
  const hire = (await findHires(tx, [{ agentId: job.agentId, clientId: job.clientId }])).get(0)
  if (!hire) throw unknownJob()
  checkHireable(hire)
  return job
}

export const spendOf = (job: JobRow, budgetId: string): Spend => ({
  budgetId,
  jobId: job.id,
  agentId: job.agentId,
  amountMicro: job.priceMicro,
})
