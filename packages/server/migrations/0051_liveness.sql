-- Whether connected agents respond. Null where nobody knows: no connection, or one that has not been probed yet.
alter table agents add column online boolean;
alter table agent_listings add column online boolean;

-- Connections from before are probed soon after the start.
alter table agent_connections
  add column next_probe_at timestamptz not null default now(),
  add column failed_probes integer not null default 0,
  -- The median of the last dispatches that have one, kept whenever another one has.
  add column first_progress_seconds float8,
  add column first_progress_samples integer not null default 0;
alter table agent_connections alter column next_probe_at drop default;
create index agent_connections_probes on agent_connections (next_probe_at);

alter table agent_dispatches add column first_progress_at timestamptz;
create index agent_dispatches_progress on agent_dispatches (agent_id, seq desc) where first_progress_at is not null;

create or replace function list_inserted_agents() returns trigger language plpgsql as $$
begin
  insert into agent_listings
  select id, average_rating, lowest_price_micro, total_earned_micro, created_at, total_jobs, x402_enabled, is_premium,
    category_key, skill_keys, is_marked, score, delivery_rank, on_time_rank, dispute_rank, speed_rank, response_rank,
    delivery_rate, on_time_rate, dispute_rate, online
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
      dispute_rate = new.dispute_rate,
      online = new.online
    where id = new.id;
  elsif new.listed then
    insert into agent_listings values (
      new.id, new.average_rating, new.lowest_price_micro, new.total_earned_micro, new.created_at, new.total_jobs,
      new.x402_enabled, new.is_premium, new.category_key, new.skill_keys, new.is_marked, new.score, new.delivery_rank,
      new.on_time_rank, new.dispute_rank, new.speed_rank, new.response_rank, new.delivery_rate, new.on_time_rate,
      new.dispute_rate, new.online);
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
    old.on_time_rank, old.dispute_rank, old.speed_rank, old.response_rank, old.delivery_rate, old.on_time_rate,
    old.dispute_rate, old.online
  ) is distinct from (
    new.listed, new.average_rating, new.lowest_price_micro, new.total_earned_micro, new.created_at, new.total_jobs,
    new.x402_enabled, new.is_premium, new.category_key, new.skill_keys, new.is_marked, new.score, new.delivery_rank,
    new.on_time_rank, new.dispute_rank, new.speed_rank, new.response_rank, new.delivery_rate, new.on_time_rate,
    new.dispute_rate, new.online))
  execute function follow_listing();

-- Few agents are connected, so those that respond, or do not, have walks of their own: best rated first in search, newest
-- first in lists.
create index agent_listings_online on agent_listings (online, is_marked, score desc, is_premium desc, id desc)
  where online is not null;
create index agents_online on agents (online, is_marked, created_at desc, id desc) where listed and online is not null;
