import type { Exclusion, WeighedReview, WeighedScore } from '@agent-marketplace/contract/rating'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import { type DuePlace, isAfter } from '../../../platform/queue/due-work.ts'
import type { DeliveryFacts } from './delivery-store.ts'

/** Locks the agent: its score and what counts for it are written by one at a time. */
export function lockSeller(tx: Queryable, agentId: string): Promise<{ sellerId: string } | undefined> {
  return tx.maybeOne(sql`select owner_id as "sellerId" from agents where id = ${agentId} for no key update`)
}

export async function saveExclusion(
  tx: Queryable,
  { jobId, agentId, reason }: { jobId: string; agentId: string; reason: Exclusion | null },
): Promise<void> {
  if (reason === null) {
    await tx.run(sql`delete from job_exclusions where job_id = ${jobId}`)
    return
  }
  await tx.run(sql`
    insert into job_exclusions (job_id, agent_id, reason) values (${jobId}, ${agentId}, ${reason})
    on conflict (job_id) do update set reason = excluded.reason`)
}

export interface EndedFacts {
  outcome: 'COMPLETED' | 'CANCELLED'
  volumeMicro: bigint
  earnedMicro: bigint
}

/** What a job that is over brought into its agent's totals; undefined while it is not. */
export function findEnded(tx: Queryable, jobId: string): Promise<EndedFacts | undefined> {
  return tx.maybeOne(sql`
    select case when j.payment_method = 'ESCROW' and closed.net + closed.fee = 0 then 'CANCELLED'
        when j.payment_method = 'ESCROW' then 'COMPLETED' else j.status end as outcome,
      case when j.payment_method = 'ESCROW' then closed.net + closed.fee else j.price_micro end::bigint as "volumeMicro",
      case when j.payment_method = 'ESCROW' then closed.net when j.refund_state = 'CONFIRMED' then 0
        else j.net_micro end::bigint as "earnedMicro"
    from jobs j
      left join lateral (
        select (args #>> '{sellerNetMicro,bigint}')::numeric as net, (args #>> '{feeMicro,bigint}')::numeric as fee
        from chain_events where subject = j.escrow_key and name = 'JobClosed' and is_canonical) closed on true
    where j.id = ${jobId} and (
      j.payment_method = 'ESCROW' and closed.net is not null
      or j.payment_method <> 'ESCROW' and j.status in ('COMPLETED', 'CANCELLED')
        and exists (select 1 from job_events e where e.job_id = j.id and e.type = 'JOB_FUNDED'))`)
}

export async function saveCounted(
  tx: Queryable,
  reviewIds: readonly string[],
  counted: boolean,
): Promise<void> {
  if (reviewIds.length === 0) return
  await tx.run(sql`update reviews set counted = ${counted} where id = any(${reviewIds}::text[])`)
}

/** Everything about an agent that its reviews and jobs decide. */
export async function saveScore(
  tx: Queryable,
  agentId: string,
  { score, delivery, now }: { score: WeighedScore; delivery: DeliveryFacts; now: Date },
): Promise<void> {
  const counted = score.reviews.filter((review) => review.counted)
  const counts = [1, 2, 3, 4, 5].map((stars) => counted.filter(({ rating }) => rating === stars).length)
  await tx.run(sql`
    update agents set
      score = ${score.score}, score_weight = ${score.weight}, scored_at = ${now},
      rating_counts = ${counts}::integer[], review_count = ${counted.length}::integer,
      rating_sum = ${counted.reduce((sum, { rating }) => sum + rating, 0)}::integer,
      delivered_count = ${delivery.delivered}::integer, deliverable_count = ${delivery.deliverable}::integer,
      on_time_count = ${delivery.onTime}::integer, timed_count = ${delivery.timed}::integer,
      dispute_count = ${delivery.disputes}::integer, disputable_count = ${delivery.disputable}::integer,
      delivery_seconds = ${delivery.deliverySeconds}::float8, delivery_samples = ${delivery.deliverySamples}::integer,
      response_seconds = ${delivery.responseSeconds}::float8, response_samples = ${delivery.responseSamples}::integer
    where id = ${agentId}`)
}

/** What a page can show of an agent's arithmetic. */
export interface Arithmetic {
  reviews: WeighedReview[]
  /** How many reviews do not count, by reason. */
  notCounted: Partial<Record<Exclusion, number>>
}

export async function saveArithmetic(tx: Queryable, agentId: string, arithmetic: Arithmetic): Promise<void> {
  await tx.run(sql`
    insert into agent_arithmetic (agent_id, arithmetic) values (${agentId}, ${sql.json(arithmetic)}::jsonb)
    on conflict (agent_id) do update set arithmetic = excluded.arithmetic`)
}

export async function findArithmetic(db: Queryable, agentId: string): Promise<Arithmetic | undefined> {
  const row = await db.maybeOne<{ arithmetic: Arithmetic }>(
    sql`select arithmetic from agent_arithmetic where agent_id = ${agentId}`,
  )
  return row?.arithmetic
}

/** It is done as far as this transaction sees. A transaction that is making it due again keeps it due. */
export async function removeDue(tx: Queryable, agentId: string): Promise<void> {
  await tx.run(sql`
    delete from agent_scores_due where agent_id in (
      select agent_id from agent_scores_due where agent_id = ${agentId} for update skip locked)`)
}

/** The agents that became due by this time, the longest overdue first. */
export function listDue(
  db: Queryable,
  { until, after, limit }: { until: string; after: DuePlace | undefined; limit: number },
): Promise<DuePlace[]> {
  return db.rows(sql`
    select agent_id as id, since::text as at from agent_scores_due
    where since <= ${until}::timestamptz and ${isAfter(sql`since`, sql`agent_id`, after)}
    order by since, agent_id limit ${limit}`)
}

/** The time of the database, whose clock says since when an agent is due. */
export const readDueTime = (db: Queryable): Promise<{ until: string }> =>
  db.one(sql`select now()::text as until`)

/** Scores age by themselves: makes the oldest of those that were computed before this time due, unless they are already. */
export async function makeOldDue(db: Queryable, before: Date, limit: number): Promise<void> {
  await db.run(sql`
    insert into agent_scores_due (agent_id)
    select id from agents where scored_at < ${before} and (score_weight > 0 or deliverable_count > 0)
      and not exists (select 1 from agent_scores_due due where due.agent_id = agents.id)
    order by scored_at limit ${limit}
    on conflict do nothing`)
}
