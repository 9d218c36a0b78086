import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

/**
 * Totals that other features add to, each in the transaction of the fact itself. `by` is -1 where a fact is taken back,
 * as when the chain replaced its block.
 */
type Times = 1 | -1

/** Counts one review that counts: not of a job with one's own agent. */
export async function addReviewToTotals(
  tx: Queryable,
  { agentId, rating, by = 1 }: { agentId: string; rating: 1 | 2 | 3 | 4 | 5; by?: Times },
): Promise<void> {
  await changeOne(
    tx.run(sql`
      update agents set
        rating_counts[${rating}::integer] = rating_counts[${rating}::integer] + ${by}::integer,
        rating_sum = rating_sum + ${rating * by}::integer,
        review_count = review_count + ${by}::integer
      where id = ${agentId}`),
  )
}

export interface EndedJob {
  agentId: string
  /** COMPLETED: the agent was paid. CANCELLED: it had been paid for, and the money went back. */
  outcome: 'COMPLETED' | 'CANCELLED'
  /** False for a job with one's own agent: it is a job, but it says nothing about the agent. */
  counts: boolean
  /** What the client paid. */
  volumeMicro: bigint
  /** What reached the agent's wallet. */
  earnedMicro: bigint
  by?: Times
}

export async function addJobToTotals(tx: Queryable, job: EndedJob): Promise<void> {
  const { agentId, outcome, counts, volumeMicro, earnedMicro, by = 1 } = job
  const completed = outcome === 'COMPLETED' ? by : 0
  const counted = counts ? by : 0
  await changeOne(
    tx.run(sql`
      update agents set
        total_jobs = total_jobs + ${completed}::integer,
        completed_jobs = completed_jobs + ${outcome === 'COMPLETED' ? counted : 0}::integer,
        cancelled_jobs = cancelled_jobs + ${outcome === 'CANCELLED' ? counted : 0}::integer,
        settled_volume_micro = settled_volume_micro + ${BigInt(completed && counted) * volumeMicro}::bigint,
        total_earned_micro = total_earned_micro + ${BigInt(by) * earnedMicro}::bigint
      where id = ${agentId}`),
  )
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
