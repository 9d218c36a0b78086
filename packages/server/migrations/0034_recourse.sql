-- Recourse below 100 USDC: deadlines and refunds of x402 jobs, buyer protection, custom orders, and what undelivered work
-- means for an agent.

alter table jobs
  -- The service that was ordered; null for a custom order.
  add column service_id text,
  -- How long the work may take after payment, where the client gave no deadline.
  add column delivery_hours integer not null default 72 check (delivery_hours > 0),
  -- The client chose escrow for a price below the threshold.
  add column buyer_protection boolean not null default false,
  -- The seller must accept the order before it can be paid.
  add column needs_acceptance boolean not null default false,
  -- Of x402 jobs: when, and from which wallet, they were paid.
  add column paid_at timestamptz,
  add column payer_wallet text,
  -- When a paid x402 job begins to count against its agent: at its deadline, and never before the time that the seller
  -- promised. `undelivered` says that it does count now.
  add column owed_at timestamptz,
  add column undelivered boolean not null default false,
  add column refund_state text check (refund_state in ('PENDING', 'CONFIRMED')),
  add column refund_tx_hash text,
  add column refunded_at timestamptz,
  add check (refund_state is null or (payment_method = 'X402' and payer_wallet is not null)),
  add check ((refunded_at is not null) = (refund_state is not distinct from 'CONFIRMED'));

update jobs set paid_at = funded.at, payer_wallet = x402_payments.payer
from (select job_id, max(created_at) as at from job_events where type = 'JOB_FUNDED' group by job_id) funded, x402_payments
where jobs.payment_method = 'X402' and funded.job_id = jobs.id
  and x402_payments.purpose = 'job' and x402_payments.reference = jobs.id and x402_payments.status = 'SETTLED';
-- Jobs from before this rule get the usual time from now on: nobody had told their sellers.
update jobs set due_at = date_trunc('second', greatest(paid_at, now()) + interval '72 hours')
where payment_method = 'X402' and status = 'IN_PROGRESS' and paid_at is not null and due_at is null;
update jobs set owed_at = greatest(due_at, date_trunc('second', greatest(paid_at, now()) + interval '72 hours'))
where payment_method = 'X402' and status = 'IN_PROGRESS' and paid_at is not null;

create index jobs_owed_due on jobs (owed_at) where owed_at is not null and not undelivered and refund_state is null
  and delivery_cid is null;
create index jobs_undelivered on jobs (agent_id, owed_at) where undelivered;

-- A refund leaves an agent's wallet as a withdrawal does, to another address: to the one that paid for the job.
alter table withdrawals add column job_id text references jobs (id);
create unique index withdrawals_refund on withdrawals (job_id)
  where job_id is not null and outcome is distinct from 'FAILED';

alter table reviews add column kind text not null default 'WORK' check (kind in ('WORK', 'NOT_DELIVERED'));

alter table agents
  add column custom_orders text not null default 'INSTANT' check (custom_orders in ('INSTANT', 'ON_REQUEST', 'OFF')),
  -- How many of its jobs are `undelivered`, and whether they were too many at once.
  add column undelivered_jobs integer not null default 0 check (undelivered_jobs >= 0),
  add column is_withheld boolean not null default false;

-- Lists and search leave out agents that are withheld. The expression of a generated column cannot be changed in all
-- supported versions of PostgreSQL, so the column is made anew, with all that rests on it.
drop trigger agents_listing_updated on agents;
drop trigger agents_counts_updated on agents;
alter table agents drop column listed;
alter table agents add column listed boolean not null generated always as (
  approval_status = 'APPROVED' and paused_by is null and owner_active and not is_withheld) stored;
create index agents_by_newest on agents (created_at desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled, category_key) where listed;
create index agents_category_newest on agents (category_key, created_at desc, id desc) where listed;
create index agents_name on agents using gin (name gin_trgm_ops) where listed;
create index agents_words on agents
  using gin (search, skill_keys, (array[category_key]), (array[x402_enabled]), rating_marks(average_rating))
  with (gin_pending_list_limit = 512) where listed;

-- Agents with undelivered jobs come last in every order.
alter table agents add column is_marked boolean not null generated always as (undelivered_jobs > 0) stored;
alter table agent_listings add column is_marked boolean not null default false;
create index agents_rating on agents (is_marked, average_rating desc, is_premium desc, id desc) where listed;
drop index agent_listings_by_rating;
drop index agent_listings_by_price;
drop index agent_listings_by_jobs;
drop index agent_listings_by_earned;
drop index agent_listings_by_newest;
drop index agent_listings_category_rating;
create index agent_listings_by_rating on agent_listings (is_marked, average_rating desc, is_premium desc, id desc)
  include (lowest_price_micro, x402_enabled, category_key);
create index agent_listings_by_price on agent_listings (is_marked, lowest_price_micro, is_premium desc, id desc)
  include (average_rating, x402_enabled, category_key);
create index agent_listings_by_jobs on agent_listings (is_marked, total_jobs desc, is_premium desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled, category_key);
create index agent_listings_by_earned on agent_listings (is_marked, total_earned_micro desc, is_premium desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled, category_key);
create index agent_listings_by_newest on agent_listings (is_marked, created_at desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled, category_key);
create index agent_listings_category_rating on agent_listings
  (category_key, is_marked, average_rating desc, is_premium desc, id desc) include (lowest_price_micro, x402_enabled);

create or replace function list_inserted_agents() returns trigger language plpgsql as $$
begin
  insert into agent_listings (id, average_rating, lowest_price_micro, total_earned_micro, created_at, total_jobs,
    x402_enabled, is_premium, category_key, skill_keys, is_marked)
  select id, average_rating, lowest_price_micro, total_earned_micro, created_at, total_jobs, x402_enabled, is_premium,
    category_key, skill_keys, is_marked
  from new_agents where listed;
  insert into agent_counts as counts (category_key, listed_count)
  select category_key, count(*) from new_agents where listed group by category_key order by category_key
  on conflict (category_key) do update set listed_count = counts.listed_count + excluded.listed_count;
  insert into agent_term_counts as counts (kind, term, listed_count)
  select kind, term, count(*) from new_agents cross join agent_terms(search, skill_keys)
  where listed group by kind, term order by kind, term
  on conflict (kind, term) do update set listed_count = counts.listed_count + excluded.listed_count;
  return null;
end $$;

create or replace function follow_listing() returns trigger language plpgsql as $$
begin
  if old.listed and new.listed then
    update agent_listings set
      average_rating = new.average_rating,
      lowest_price_micro = new.lowest_price_micro,
      total_earned_micro = new.total_earned_micro,
      created_at = new.created_at,
      total_jobs = new.total_jobs,
      x402_enabled = new.x402_enabled,
      is_premium = new.is_premium,
      category_key = new.category_key,
      skill_keys = new.skill_keys,
      is_marked = new.is_marked
    where id = new.id;
  elsif new.listed then
    insert into agent_listings (id, average_rating, lowest_price_micro, total_earned_micro, created_at, total_jobs,
      x402_enabled, is_premium, category_key, skill_keys, is_marked)
    values (
      new.id, new.average_rating, new.lowest_price_micro, new.total_earned_micro, new.created_at, new.total_jobs,
      new.x402_enabled, new.is_premium, new.category_key, new.skill_keys, new.is_marked);
  else
    delete from agent_listings where id = old.id;
  end if;
  return null;
end $$;
create trigger agents_listing_updated after update on agents for each row
  when ((old.listed or new.listed) and (
    old.listed, old.average_rating, old.lowest_price_micro, old.total_earned_micro, old.created_at, old.total_jobs,
    old.x402_enabled, old.is_premium, old.category_key, old.skill_keys, old.is_marked
  ) is distinct from (
    new.listed, new.average_rating, new.lowest_price_micro, new.total_earned_micro, new.created_at, new.total_jobs,
    new.x402_enabled, new.is_premium, new.category_key, new.skill_keys, new.is_marked))
  execute function follow_listing();
create trigger agents_counts_updated after update on agents for each row
  when ((old.listed or new.listed)
    and (old.listed, old.category_key, old.skill_keys, old.search)
      is distinct from (new.listed, new.category_key, new.skill_keys, new.search))
  execute function follow_counts();
