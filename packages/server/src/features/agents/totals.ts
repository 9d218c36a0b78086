import type { EndedJob } from '../../house/ended-job.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

/**
 * Totals that other features add to, each in the transaction of the fact itself. `by` is -1 where a fact is taken back,
 * as when the chain replaced its block.
 */
type Times = 1 | -1

/** A job that the transfer graph took out of the record is neither added nor taken back. */
export async function addJobToTotals(tx: Queryable, job: EndedJob): Promise<void> {
  const { jobId, agentId, outcome, counts, volumeMicro, earnedMicro, by = 1 } = job
  if (!counts) return
  const completed = outcome === 'COMPLETED' ? by : 0
  await tx.run(sql`
    update agents set
      total_jobs = total_jobs + ${completed}::integer,
      completed_jobs = completed_jobs + ${completed}::integer,
      cancelled_jobs = cancelled_jobs + ${by - completed}::integer,
      settled_volume_micro = settled_volume_micro + ${BigInt(completed) * volumeMicro}::bigint,
      total_earned_micro = total_earned_micro + ${BigInt(by) * earnedMicro}::bigint
    where id = ${agentId} and not exists (select 1 from job_exclusions where job_id = ${jobId})`)
}

export async function addDisputeToTotals(tx: Queryable, agentId: string, by: Times = 1): Promise<void> {
  await changeOne(
    tx.run(sql`update agents set disputed_jobs = disputed_jobs + ${by}::integer where id = ${agentId}`),
  )
}

/** A logged x402 payment outside any job that was found on chain. */
export async function addPaymentToTotals(
  tx: Queryable,
  { agentId, earnedMicro, by = 1 }: { agentId: string; earnedMicro: bigint; by?: Times },
): Promise<void> {
  await changeOne(
    tx.run(sql`
      update agents set
        verified_x402_payments = verified_x402_payments + ${by}::integer,
        total_earned_micro = total_earned_micro + ${BigInt(by) * earnedMicro}::bigint
      where id = ${agentId}`),
  )
}

/** A review that was written to the on-chain reputation registry. */
export async function addFeedbackToTotals(tx: Queryable, agentId: string, by: Times = 1): Promise<void> {
  await changeOne(
    tx.run(sql`update agents set feedback_count = feedback_count + ${by}::integer where id = ${agentId}`),
  )
}

async function changeOne(changed: Promise<number>): Promise<void> {
  if ((await changed) !== 1) throw new Error('There is no agent to add these totals to')
}
