import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'

/** How an agent delivers. Each figure has its sample beside it. */
export interface DeliveryFacts {
  delivered: number
  deliverable: number
  onTime: number
  timed: number
  disputes: number
  disputable: number
  deliverySeconds: number | null
  deliverySamples: number
  responseSeconds: number | null
  responseSamples: number
}

/**
 * Over the paid jobs that count. A job that is over, delivered or past its deadline says whether it was delivered; one
 * with a deadline says whether in time. The agent is judged by the time that it promised, where the client's deadline is
 * shorter; a job that its client called off before that time, and has the money of, says nothing. A dispute that ended with
 * all the money for the seller is none. The time to respond
 * runs from each payment and each request for changes to the next thing that the seller does.
 */
export function readDelivery(db: Queryable, agentId: string, now: Date): Promise<DeliveryFacts> {
  return db.one(sql`
    with paid as (
      select j.id, j.status, funded.at as paid_at, first.at as delivered_at, d.job_id is not null and j.escrow_facts ->> 'sellerGross' is distinct from j.price_micro::text as is_disputed,
        case when coalesce(j.deadline_at, j.due_at) is not null
          then greatest(coalesce(j.deadline_at, j.due_at), promised.at) end as due_at,
        coalesce(called_off.at < promised.at, false) as is_early
      from jobs j
        cross join lateral (
          select min(e.created_at) as at from job_events e where e.job_id = j.id and e.type = 'JOB_FUNDED') funded
        cross join lateral (
          select min(delivered_at) as at from job_deliveries where job_id = j.id) first
        cross join lateral (
          select date_trunc('second', funded.at) + make_interval(hours => j.delivery_hours) as at) promised
        cross join lateral (
          select min(e.created_at) as at from job_events e
          where e.job_id = j.id and e.type in ('JOB_CANCELLED', 'ESCROW_EXPIRED')) called_off
        left join job_disputes d on d.job_id = j.id
      where j.agent_id = ${agentId} and j.counts and funded.at is not null
        and not exists (select 1 from job_exclusions x where x.job_id = j.id)
        and not (first.at is null and coalesce(called_off.at < promised.at, false)
          and (j.payment_method = 'ESCROW' or j.refund_state is not distinct from 'CONFIRMED'))
    ), decided as (
      select *, delivered_at is not null or due_at < ${now}
        or (status in ('COMPLETED', 'CANCELLED') and not is_early) as is_decided
      from paid
    ), responses as (
      select extract(epoch from response.at - asked.created_at)::float8 as seconds
      from paid join job_events asked on asked.job_id = paid.id
        and asked.type in ('JOB_FUNDED', 'CHANGES_REQUESTED')
        cross join lateral (
          select min(e.created_at) as at from job_events e
          where e.job_id = paid.id and e.actor = 'SELLER' and e.seq > asked.seq) response
      where response.at >= asked.created_at
    )
    select
      count(*) filter (where is_decided and delivered_at is not null)::integer as delivered,
      count(*) filter (where is_decided)::integer as deliverable,
      count(*) filter (where is_decided and due_at is not null and delivered_at <= due_at)::integer as "onTime",
      count(*) filter (where is_decided and due_at is not null)::integer as timed,
      count(*) filter (where is_disputed and (is_decided or status = 'DISPUTED'))::integer as disputes,
      count(*) filter (where is_decided or status = 'DISPUTED')::integer as disputable,
      percentile_cont(0.5) within group (order by extract(epoch from delivered_at - paid_at)::float8)
        filter (where delivered_at >= paid_at) as "deliverySeconds",
      count(*) filter (where delivered_at >= paid_at)::integer as "deliverySamples",
      (select percentile_cont(0.5) within group (order by seconds) from responses) as "responseSeconds",
      (select count(*)::integer from responses) as "responseSamples"
    from decided`)
}
