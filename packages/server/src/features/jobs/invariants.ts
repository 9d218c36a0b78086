import {
  MAX_AMOUNT_MICRO,
  type Rail,
  rails,
  UNDELIVERED_LIMIT,
  UNDELIVERED_WINDOW_SECONDS,
} from '@agent-marketplace/contract'
import { agents, jobs } from '../../house/books/subjects.ts'
import { type Invariant, inDatabase } from '../../money/audit/invariant.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

const ofRails = <Key extends keyof Rail>(key: Key): Rail[Key][] => rails.map((rail) => rail[key])

const jobsWithRails: Sql = sql`
  jobs left join unnest(${ofRails('method')}::text[], ${ofRails('feeBps')}::bigint[], ${ofRails('fromMicro')}::bigint[],
    ${ofRails('belowMicro')}::bigint[], ${ofRails('holdsMoney')}::boolean[])
    as rail (method, fee_bps, from_micro, below_micro, holds_money) on rail.method = jobs.payment_method`

/** What jobs promise beyond the money engine; anyone may check it at any moment. */
export const jobsInvariants: readonly Invariant[] = [
  inDatabase(
    jobs,
    'M4',
    'Each job’s fee follows from its price and rail, and fee and net are the price',
    (db, keys) =>
      db.rows(sql`
      select id as key, payment_method, price_micro, fee_micro, net_micro from ${jobsWithRails}
      where id = any(${keys}) and (rail.method is null or fee_micro <> price_micro * rail.fee_bps / 10000
        or fee_micro + net_micro <> price_micro)`),
  ),

  inDatabase(
    jobs,
    'M5',
    'Each job’s rail follows from its price as a number, and from buyer protection below the threshold',
    (db, keys) =>
      db.rows(sql`
      select id as key, payment_method, price_micro from ${jobsWithRails}
      where id = any(${keys}) and (rail.method is null or case when buyer_protection
        then not rail.holds_money or price_micro >= rail.from_micro
        else price_micro < rail.from_micro or price_micro >= coalesce(rail.below_micro, price_micro + 1) end)`),
  ),

  inDatabase(jobs, 'M12', 'No job’s price is outside what an amount may be', (db, keys) =>
    db.rows(sql`select id as key, price_micro from jobs
      where id = any(${keys}) and price_micro not between 1 and ${MAX_AMOUNT_MICRO}`),
  ),

  inDatabase(jobs, 'J1', 'A job without an open order stands where the chain has it', (db, keys) =>
    db.rows(sql`
      select id as key, status, escrow_facts ->> 'state' as state from jobs
      where id = any(${keys}) and payment_method = 'ESCROW' and cardinality(open_intents) = 0 and status <> case escrow_facts ->> 'state'
        when 'UNFUNDED' then case when status = 'CANCELLED' then 'CANCELLED' else 'PENDING' end
        when 'FUNDED' then 'IN_PROGRESS'
        when 'SUBMITTED' then 'UNDER_REVIEW'
        when 'DISPUTED' then 'DISPUTED'
        else case when escrow_facts ->> 'sellerGross' = '0' then 'CANCELLED' else 'COMPLETED' end end`),
  ),

  inDatabase(jobs, 'J2', 'The orders that a job waits for are open, and no others are', (db, keys) =>
    db.rows(sql`
      select jobs.id as key, jobs.open_intents, found.keys from jobs
      cross join lateral (
        select coalesce(array_agg(intents.key order by intents.key), '{}') as keys from intents
        where intents.lane = 'job:' || jobs.id and intents.status in ('PENDING', 'SUBMITTED')) found
      where jobs.id = any(${keys}) and cardinality(jobs.open_intents) > 0
        and found.keys <> array(select key from unnest(jobs.open_intents) key order by key)`),
  ),

  inDatabase(
    jobs,
    'R3',
    'A review counts only while its job counts, is paid out and not refunded',
    (db, keys) =>
      db.rows(sql`
      select jobs.id as key, reviews.id as "reviewId" from reviews join jobs on jobs.id = reviews.job_id
      where jobs.id = any(${keys}) and reviews.counted and (not jobs.counts or jobs.refund_state = 'CONFIRMED' or case jobs.payment_method
        when 'ESCROW' then coalesce(jobs.escrow_facts ->> 'sellerGross', '0') = '0'
        else not exists (select 1 from job_events e where e.job_id = jobs.id and e.type = 'JOB_FUNDED') end)`),
  ),

  inDatabase(
    agents,
    'R1',
    'An agent’s totals are those of the finished jobs and reviews that count',
    (db, keys) =>
      db.rows(sql`
      with ended as (
        select agent_id, case when gross > 0 then 'COMPLETED' else 'CANCELLED' end as outcome, gross
        from (
          select agent_id, (escrow_facts ->> 'sellerGross')::bigint as gross from jobs
          where agent_id = any(${keys}) and payment_method = 'ESCROW' and counts and escrow_facts ->> 'sellerGross' is not null
            and not exists (select 1 from job_exclusions x where x.job_id = jobs.id)) escrow
        union all
        select agent_id, status, case when status = 'COMPLETED' then price_micro else 0 end from jobs
        where agent_id = any(${keys}) and payment_method <> 'ESCROW' and counts and status in ('COMPLETED', 'CANCELLED')
          and exists (select 1 from job_events e where e.job_id = jobs.id and e.type = 'JOB_FUNDED')
          and not exists (select 1 from job_exclusions x where x.job_id = jobs.id)
      ), sums as (
        select agent_id, count(*) filter (where outcome = 'COMPLETED') as completed,
          count(*) filter (where outcome = 'CANCELLED') as cancelled, sum(gross) as volume
        from ended group by agent_id
      ), rated as (
        select agent_id, count(*) as count, sum(rating) as sum from reviews
        where agent_id = any(${keys}) and counted group by agent_id
      )
      select agents.id as key, agents.completed_jobs, sums.completed, agents.cancelled_jobs, sums.cancelled,
        agents.settled_volume_micro, sums.volume, agents.review_count, rated.count
      from agents left join sums on sums.agent_id = agents.id left join rated on rated.agent_id = agents.id
      where agents.id = any(${keys}) and (agents.completed_jobs <> coalesce(sums.completed, 0)
        or agents.cancelled_jobs <> coalesce(sums.cancelled, 0)
        or agents.settled_volume_micro <> coalesce(sums.volume, 0)
        or agents.review_count <> coalesce(rated.count, 0)
        or agents.rating_sum <> coalesce(rated.sum, 0))`),
  ),
  inDatabase(jobs, 'R4', 'A job that is paid directly has a deadline', (db, keys) =>
    db.rows(sql`
      select id as key, status from jobs
      where id = any(${keys}) and payment_method <> 'ESCROW' and paid_at is not null and due_at is null and status = 'IN_PROGRESS'`),
  ),

  inDatabase(
    agents,
    'R5',
    'An agent is marked and withheld by its undelivered jobs, or with an agent of its owner that is',
    (db, keys) =>
      db.rows(sql`
      with owed as (
        select agent_id, owed_at, lead(owed_at, ${UNDELIVERED_LIMIT - 1}::integer) over (partition by agent_id order by owed_at) as last
        from jobs where agent_id = any(${keys}) and undelivered
      ), counted as (
        select agent_id, count(*) as jobs,
          coalesce(bool_or(last - owed_at <= make_interval(secs => ${UNDELIVERED_WINDOW_SECONDS}::double precision)), false) as withheld
        from owed group by agent_id
      )
      select agents.id as key, agents.undelivered_jobs, counted.jobs, agents.owes_too_much, counted.withheld, agents.withheld_with
      from agents left join counted on counted.agent_id = agents.id left join agents other on other.id = agents.withheld_with
      where agents.id = any(${keys}) and (agents.undelivered_jobs <> coalesce(counted.jobs, 0)
        or agents.owes_too_much <> coalesce(counted.withheld, false)
        or not coalesce(other.owes_too_much and other.owner_id = agents.owner_id, true))`),
  ),

  inDatabase(
    jobs,
    'R8',
    'Only jobs that were paid for, not delivered and not refunded count as undelivered',
    (db, keys) =>
      db.rows(sql`
      select id as key, status, refund_state from jobs
      where id = any(${keys}) and undelivered and (payment_method = 'ESCROW' or status not in ('IN_PROGRESS', 'CANCELLED') or paid_at is null
        or refund_state = 'CONFIRMED' or owed_at is null)`),
  ),
]
