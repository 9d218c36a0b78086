-- A score that costs something to reach, and the transfer graph behind it.

-- USDC that moved between people, as the watched events tell it. The indexer's transaction writes it and takes it back.
create table wallet_flows (
  chain_id bigint not null,
  tx_hash text not null,
  log_index integer not null,
  from_wallet text not null check (from_wallet = lower(from_wallet)),
  to_wallet text not null check (to_wallet = lower(to_wallet)),
  amount_micro numeric(78, 0) not null check (amount_micro > 0),
  at timestamptz not null,
  primary key (chain_id, tx_hash, log_index)
);
create index wallet_flows_from on wallet_flows (from_wallet, to_wallet) include (amount_micro, at);
create index wallet_flows_to on wallet_flows (to_wallet, from_wallet) include (amount_micro, at);

-- Buyers and sellers whose transfers are read for the graph. The journal does not keep their books.
create table traced_wallets (
  address text primary key check (address = lower(address)),
  -- From this block on every transfer is read; null until the indexer has taken the wallet up.
  since_block bigint,
  created_at timestamptz not null default now()
);
create index traced_wallets_new on traced_wallets (created_at) where since_block is null;

create function trace_wallets(wallets text[]) returns void language sql as $$
  insert into traced_wallets (address) select distinct lower(wallet) from unnest(wallets) wallet on conflict do nothing
$$;
create function trace_seller() returns trigger language plpgsql as $$
begin
  perform trace_wallets(array[wallet_address]) from owners where id = new.owner_id;
  return null;
end $$;
create trigger agents_trace after insert on agents for each row execute function trace_seller();
-- Whoever pays at least what counts. Less would let anybody make us read for any number of wallets.
create function trace_buyer() returns trigger language plpgsql as $$
begin
  perform trace_wallets(array[client_wallet, seller_wallet]) from jobs
  where id = new.job_id and price_micro >= 100000;
  return null;
end $$;
create trigger job_events_trace after insert on job_events for each row
  when (new.type = 'JOB_FUNDED') execute function trace_buyer();
create function trace_payer() returns trigger language plpgsql as $$
begin
  perform trace_wallets(array[new.payer]);
  return null;
end $$;
create index x402_payments_payer on x402_payments (lower(payer)) where purpose = 'job';
create trigger x402_payments_trace after update of status on x402_payments for each row
  when (new.status = 'SETTLED' and new.purpose = 'job' and new.amount_micro >= 100000) execute function trace_payer();

select trace_wallets(array_agg(wallet_address)) from owners
where exists (select 1 from agents where agents.owner_id = owners.id);
select trace_wallets(array_agg(client_wallet)) from jobs
where price_micro >= 100000 and exists (select 1 from job_events e where e.job_id = jobs.id and e.type = 'JOB_FUNDED');
select trace_wallets(array_agg(payer)) from x402_payments
where status = 'SETTLED' and purpose = 'job' and amount_micro >= 100000;

-- Jobs that the graph takes out of an agent's record, and why. Written with the score, under the lock of the agent; it
-- refers to jobs by name alone, so that it never waits for a job that waits for the agent.
create table job_exclusions (
  job_id text primary key,
  agent_id text not null references agents (id),
  reason text not null
    check (reason in ('MONEY_CAME_BACK', 'SELLER_FUNDED_BUYER', 'SHARED_FUNDER', 'BUYER_FUNDED_SELLER'))
);
create index job_exclusions_agent on job_exclusions (agent_id);

-- How the score came about, review by review, as the page shows it.
create table agent_arithmetic (
  agent_id text primary key references agents (id) on delete cascade,
  arithmetic jsonb not null
);

-- Agents whose score has to be computed again, because something that feeds it has changed.
create table agent_scores_due (
  agent_id text primary key references agents (id) on delete cascade,
  since timestamptz not null default now()
);
create index agent_scores_due_since on agent_scores_due (since);
create function score_again(agent_ids text[]) returns void language sql as $$
  insert into agent_scores_due (agent_id) select distinct id from unnest(agent_ids) id order by id
  on conflict (agent_id) do update set since = excluded.since
$$;

create function score_reviewed_agent() returns trigger language plpgsql as $$
begin
  perform score_again(array[new.agent_id]);
  return null;
end $$;
create trigger reviews_score after insert or update of rating on reviews for each row
  execute function score_reviewed_agent();
create trigger jobs_score after update of status, counts, escrow_facts, due_at, delivery_cid, refund_state on jobs for each row
  when ((old.status, old.counts, old.escrow_facts, old.due_at, old.delivery_cid, old.refund_state)
    is distinct from (new.status, new.counts, new.escrow_facts, new.due_at, new.delivery_cid, new.refund_state))
  execute function score_reviewed_agent();
-- A payment also says something about its buyer, to all whom they paid before.
create function score_paid_agents() returns trigger language plpgsql as $$
begin
  perform score_again(array_agg(others.agent_id)) from jobs paid join jobs others on others.client_id = paid.client_id
  where paid.id = coalesce(new.job_id, old.job_id) and (others.id = paid.id
    or exists (select 1 from job_events e where e.job_id = others.id and e.type = 'JOB_FUNDED'));
  return null;
end $$;
create trigger job_events_score after insert on job_events for each row
  when (new.type = 'JOB_FUNDED') execute function score_paid_agents();
create trigger job_events_unscore after delete on job_events for each row
  when (old.type = 'JOB_FUNDED') execute function score_paid_agents();
create function score_by_identity() returns trigger language plpgsql as $$
begin
  perform score_again(array_agg(agent_id)) from jobs where client_id = new.id;
  return null;
end $$;
create trigger owners_score after update of kyc_status on owners for each row
  when (old.kyc_status is distinct from new.kyc_status) execute function score_by_identity();

-- What ranks and shows an agent. A rate has no value without its sample, so both are kept; times are null without any.
alter table agents
  add column score float8 not null default 1 check (score between 1 and 5),
  add column score_weight float8 not null default 0,
  add column scored_at timestamptz,
  add column delivered_count integer not null default 0,
  add column deliverable_count integer not null default 0,
  add column on_time_count integer not null default 0,
  add column timed_count integer not null default 0,
  add column dispute_count integer not null default 0,
  add column disputable_count integer not null default 0,
  add column delivery_seconds float8,
  add column delivery_samples integer not null default 0,
  add column response_seconds float8,
  add column response_samples integer not null default 0;
alter table agents
  add column delivery_rate float8 generated always as (delivered_count::float8 / nullif(deliverable_count, 0)) stored,
  add column on_time_rate float8 generated always as (on_time_count::float8 / nullif(timed_count, 0)) stored,
  add column dispute_rate float8 generated always as (dispute_count::float8 / nullif(disputable_count, 0)) stored,
  -- How rates are sorted: one of one does not pass 99 of 100. Times count from three samples on.
  add column delivery_rank float8 not null generated always as ((delivered_count + 1.0) / (deliverable_count + 2)) stored,
  add column on_time_rank float8 not null generated always as ((on_time_count + 1.0) / (timed_count + 2)) stored,
  add column dispute_rank float8 not null generated always as ((dispute_count + 1.0) / (disputable_count + 2)) stored,
  add column speed_rank float8 not null generated always as (
    case when delivery_samples >= 3 then delivery_seconds else 'infinity'::float8 end) stored,
  add column response_rank float8 not null generated always as (
    case when response_samples >= 3 then response_seconds else 'infinity'::float8 end) stored;

-- Wallets whose money reached buyers of many sellers, as an exchange's does. Once public, always public.
create table public_wallets (
  wallet text primary key check (wallet = lower(wallet)),
  found_at timestamptz not null default now()
);

-- Everybody whom this wallet's money may have reached, over two others at most: the agents that they paid, and their own.
-- Of a wallet that pays thousands only some are looked at; such a one is an exchange and connects nobody.
create function score_around(start text) returns void language sql as $$
  with first as (
    select distinct to_wallet as wallet from wallet_flows where from_wallet = start limit 200
  ), second as (
    select distinct f.to_wallet as wallet from first join wallet_flows f on f.from_wallet = first.wallet limit 1000
  ), reached as (
    select start as wallet union select wallet from first union select wallet from second
  ), people as (
    select o.id from reached r join owners o on lower(o.wallet_address) = r.wallet
    union
    select a.owner_id from reached r join agents a on lower(a.wallet_address) = r.wallet
  )
  select score_again(array_agg(touched.id)) from (
    select j.agent_id as id from people join jobs j on j.client_id = people.id
    union
    select a.id from people join agents a on a.owner_id = people.id where a.scored_at is not null
    union
    select j.agent_id from reached r join x402_payments p on lower(p.payer) = r.wallet and p.purpose = 'job'
      join jobs j on j.id = p.reference) touched
  having count(*) > 0
$$;
-- A wallet that we know from transfers turns out to be somebody's.
create function score_around_new_wallet() returns trigger language plpgsql as $$
begin
  perform score_around(lower(new.wallet_address))
  where exists (select 1 from wallet_flows where from_wallet = lower(new.wallet_address))
    or exists (select 1 from wallet_flows where to_wallet = lower(new.wallet_address));
  return null;
end $$;

create trigger owners_score_around after insert on owners for each row execute function score_around_new_wallet();
create trigger agents_score_around after insert on agents for each row execute function score_around_new_wallet();

alter table agent_listings
  add column score float8 not null default 1,
  add column delivery_rank float8 not null default 0.5,
  add column on_time_rank float8 not null default 0.5,
  add column dispute_rank float8 not null default 0.5,
  add column speed_rank float8 not null default 'infinity',
  add column response_rank float8 not null default 'infinity',
  add column delivery_rate float8,
  add column on_time_rate float8,
  add column dispute_rate float8;

create or replace function list_inserted_agents() returns trigger language plpgsql as $$
begin
  insert into agent_listings
  select id, average_rating, lowest_price_micro, total_earned_micro, created_at, total_jobs, x402_enabled, is_premium,
    category_key, skill_keys, is_marked, score, delivery_rank, on_time_rank, dispute_rank, speed_rank, response_rank,
    delivery_rate, on_time_rate, dispute_rate
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
      is_marked = new.is_marked,
      score = new.score,
      delivery_rank = new.delivery_rank,
      on_time_rank = new.on_time_rank,
      dispute_rank = new.dispute_rank,
      speed_rank = new.speed_rank,
      response_rank = new.response_rank,
      delivery_rate = new.delivery_rate,
      on_time_rate = new.on_time_rate,
      dispute_rate = new.dispute_rate
    where id = new.id;
  elsif new.listed then
    insert into agent_listings values (
      new.id, new.average_rating, new.lowest_price_micro, new.total_earned_micro, new.created_at, new.total_jobs,
      new.x402_enabled, new.is_premium, new.category_key, new.skill_keys, new.is_marked, new.score, new.delivery_rank,
      new.on_time_rank, new.dispute_rank, new.speed_rank, new.response_rank, new.delivery_rate, new.on_time_rate,
      new.dispute_rate);
  else
    delete from agent_listings where id = old.id;
  end if;
  return null;
end $$;
drop trigger agents_listing_updated on agents;
create trigger agents_listing_updated after update on agents for each row
  when ((old.listed or new.listed) and (
    old.listed, old.average_rating, old.lowest_price_micro, old.total_earned_micro, old.created_at, old.total_jobs,
    old.x402_enabled, old.is_premium, old.category_key, old.skill_keys, old.is_marked, old.score, old.delivery_rank,
    old.on_time_rank,
    old.dispute_rank, old.speed_rank, old.response_rank
  ) is distinct from (
    new.listed, new.average_rating, new.lowest_price_micro, new.total_earned_micro, new.created_at, new.total_jobs,
    new.x402_enabled, new.is_premium, new.category_key, new.skill_keys, new.is_marked, new.score, new.delivery_rank,
    new.on_time_rank,
    new.dispute_rank, new.speed_rank, new.response_rank))
  execute function follow_listing();

create index agents_scored on agents (scored_at) where score_weight > 0 or deliverable_count > 0;

-- "Best rated" walks by the score. The other new orders have a walk each; filters by them are answered on the way.
drop index agent_listings_by_rating;
create index agent_listings_by_rating on agent_listings (is_marked, score desc, is_premium desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled, category_key);
drop index agent_listings_category_rating;
create index agent_listings_category_rating on agent_listings (category_key, is_marked, score desc, is_premium desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled);
create index agent_listings_by_delivery on agent_listings (is_marked, delivery_rank desc, is_premium desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled, category_key);
create index agent_listings_by_on_time on agent_listings (is_marked, on_time_rank desc, is_premium desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled, category_key);
create index agent_listings_by_disputes on agent_listings (is_marked, dispute_rank, is_premium desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled, category_key);
create index agent_listings_by_speed on agent_listings (is_marked, speed_rank, is_premium desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled, category_key);
create index agent_listings_by_response on agent_listings (is_marked, response_rank, is_premium desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled, category_key);
drop index agents_rating;
create index agents_rating on agents (is_marked, score desc, is_premium desc, id desc) where listed;

-- The marks that a score has reached, as for the average: the candidates of a frequent word are looked up by it.
create function score_mark(score float8) returns integer language sql immutable parallel safe
return width_bucket(score, '{1.05,1.1,1.3,1.6,2,2.4,2.8,3,3.2,3.4,3.6,3.8,4,4.2,4.4}'::float8[]);
create function score_marks(score float8) returns integer[] language sql immutable parallel safe
return ('{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}'::integer[])[1:score_mark(score)];
drop index agents_words;
create index agents_words on agents
  using gin (search, skill_keys, (array[category_key]), (array[x402_enabled]), rating_marks(average_rating),
    score_marks(score))
  with (gin_pending_list_limit = 512) where listed;
create statistics agents_score_keys on (score_marks(score)) from agents;

-- Everything is scored once by the new rules. What is too small to count no longer does.
update jobs set counts = false where price_micro < 100000 and counts;
update agents set total_jobs = sums.jobs, total_earned_micro = greatest(0, total_earned_micro - sums.small_micro)
from (
  select agents.id, agents.completed_jobs as jobs, coalesce(sum(jobs.net_micro) filter (
    where not jobs.counts and jobs.status = 'COMPLETED'
      and (jobs.payment_method = 'ESCROW' or exists (
        select 1 from job_events e where e.job_id = jobs.id and e.type = 'JOB_FUNDED'))), 0)::bigint as small_micro
  from agents left join jobs on jobs.agent_id = agents.id group by agents.id) sums
where sums.id = agents.id;
insert into agent_scores_due (agent_id)
select distinct agent_id from jobs on conflict do nothing;
insert into wallet_flows (chain_id, tx_hash, log_index, from_wallet, to_wallet, amount_micro, at)
select chain_id, tx_hash, log_index, lower(args ->> 'from'), lower(args ->> 'to'),
  (args #>> '{amountMicro,bigint}')::numeric, block_time
from chain_events where name = 'UsdcTransferred' and is_canonical
  and (args #>> '{amountMicro,bigint}')::numeric > 0
  and args ->> 'from' <> '0x0000000000000000000000000000000000000000';
