-- Agents, and what lists and search need to stay quick with millions of them.
create extension if not exists pg_trgm;

-- Punctuation becomes blanks, so that "on-chain", "ERC-8004" and "a/b" are looked for by their words. Arrays and JSON are
-- turned to text the same way under every setting, so the function may be called immutable.
create function agent_search_text(name text, skills text[], services jsonb, description text) returns tsvector
language sql immutable parallel safe as $function$
  select setweight(to_tsvector('english', translate(name, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))), 'A')
    || setweight(to_tsvector('english', translate(
      array_to_string(skills, ' '), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))), 'B')
    || setweight(to_tsvector('english', translate(
      coalesce((select string_agg(service ->> 'name', ' ') from jsonb_array_elements(services) service), ''),
      '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))), 'B')
    || setweight(to_tsvector('english', translate(
      description, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))), 'C')
$function$;

create table agents (
  id text primary key,
  owner_id text not null references owners (id),
  -- Checksummed, as it is shown; compared without letter case.
  wallet_address text not null,
  provider_wallet_id text not null,
  name text not null,
  description text not null,
  category text not null,
  -- Category and skills as they are compared: without letter case and outer blanks.
  category_key text not null,
  avatar_url text,
  -- Null where none was given: then the lowest price of a service stands for it.
  hourly_rate_micro bigint check (hourly_rate_micro >= 0),
  skills text[] not null,
  skill_keys text[] not null,
  -- [{ id, name, priceMicro, deliveryHours, x402Enabled }]
  services jsonb not null,
  -- What the service may spend from the agent's wallet; `allowed_skills` is null where no limits were given at all.
  session_cap_micro bigint check (session_cap_micro >= 0),
  per_tx_limit_micro bigint check (per_tx_limit_micro >= 0),
  allowed_skills text[],
  lowest_price_micro bigint not null check (lowest_price_micro >= 0),
  x402_enabled boolean not null,

  approval_status text not null default 'PENDING' check (approval_status in ('PENDING', 'APPROVED', 'REJECTED')),
  rejection_reason text,
  paused_by text check (paused_by in ('OWNER', 'QUOTA')),
  owner_active boolean not null,
  listed boolean not null generated always as (approval_status = 'APPROVED' and paused_by is null and owner_active) stored,
  premium_until timestamptz,
  is_premium boolean not null default false,
  on_chain_agent_id numeric(78, 0),

  -- Totals of what others decided, kept here so that ranking and detail read one row.
  rating_counts integer[] not null default '{0,0,0,0,0}' check (cardinality(rating_counts) = 5),
  rating_sum integer not null default 0 check (rating_sum >= 0),
  review_count integer not null default 0 check (review_count >= 0),
  average_rating float8 not null generated always as (
    case when review_count = 0 then 0 else rating_sum::float8 / review_count end) stored,
  total_jobs integer not null default 0 check (total_jobs >= 0),
  completed_jobs integer not null default 0 check (completed_jobs >= 0),
  cancelled_jobs integer not null default 0 check (cancelled_jobs >= 0),
  disputed_jobs integer not null default 0 check (disputed_jobs >= 0),
  settled_volume_micro bigint not null default 0 check (settled_volume_micro >= 0),
  total_earned_micro bigint not null default 0 check (total_earned_micro >= 0),
  verified_x402_payments integer not null default 0 check (verified_x402_payments >= 0),
  feedback_count integer not null default 0 check (feedback_count >= 0),

  search tsvector not null generated always as (agent_search_text(name, skills, services, description)) stored,
  created_at timestamptz not null
);
create unique index agents_wallet_address on agents (lower(wallet_address));
create index agents_owner on agents (owner_id, created_at, id);
create index agents_approval on agents (approval_status, created_at, id);
create index agents_premium on agents (premium_until) where is_premium;

-- One walk per sort. The filters by number, type and x402 are answered by what the index includes, so that counting and
-- skipping never read a row. A type has its own walks for the two sorts that lists begin with.
create index agents_by_rating on agents (average_rating desc, is_premium desc, id desc)
  include (lowest_price_micro, x402_enabled, category_key) where listed;
create index agents_by_price on agents (lowest_price_micro, is_premium desc, id desc)
  include (average_rating, x402_enabled, category_key) where listed;
create index agents_by_jobs on agents (total_jobs desc, is_premium desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled, category_key) where listed;
create index agents_by_earned on agents (total_earned_micro desc, is_premium desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled, category_key) where listed;
create index agents_by_newest on agents (created_at desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled, category_key) where listed;
create index agents_category_rating on agents (category_key, average_rating desc, is_premium desc, id desc)
  include (lowest_price_micro, x402_enabled) where listed;
create index agents_category_newest on agents (category_key, created_at desc, id desc) where listed;
-- Few-hit searches begin at the words, the skills or, for typing errors, the name.
create index agents_search on agents using gin (search) where listed;
create index agents_skills on agents using gin (skill_keys) where listed;
create index agents_name on agents using gin (name gin_trgm_ops) where listed;

-- How many agents of each category are listed, kept by every statement that changes it: counting a million takes half a
-- second, reading this takes none.
create table agent_counts (
  category_key text primary key,
  listed_count bigint not null
);
create function count_listed_agents() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into agent_counts as counts (category_key, listed_count)
    select category_key, count(*) from new_agents where listed group by category_key order by category_key
    on conflict (category_key) do update set listed_count = counts.listed_count + excluded.listed_count;
  elsif tg_op = 'DELETE' then
    insert into agent_counts as counts (category_key, listed_count)
    select category_key, -count(*) from old_agents where listed group by category_key order by category_key
    on conflict (category_key) do update set listed_count = counts.listed_count + excluded.listed_count;
  else
    insert into agent_counts as counts (category_key, listed_count)
    select category_key, sum(change) from (
      select category_key, 1 as change from new_agents where listed
      union all
      select category_key, -1 from old_agents where listed) changes
    group by category_key having sum(change) <> 0 order by category_key
    on conflict (category_key) do update set listed_count = counts.listed_count + excluded.listed_count;
  end if;
  return null;
end $$;
create trigger agents_count_inserted after insert on agents
  referencing new table as new_agents for each statement execute function count_listed_agents();
create trigger agents_count_updated after update on agents
  referencing old table as old_agents new table as new_agents for each statement execute function count_listed_agents();
create trigger agents_count_deleted after delete on agents
  referencing old table as old_agents for each statement execute function count_listed_agents();

-- A suspended owner's agents leave the lists with the same commit, whoever suspends.
create function follow_owner_status() returns trigger language plpgsql as $$
begin
  update agents set owner_active = (new.account_status = 'ACTIVE') where owner_id = new.id;
  return null;
end $$;
create trigger owners_agents after update of account_status on owners for each row
  when (old.account_status is distinct from new.account_status) execute function follow_owner_status();

-- The id that a creation with an Idempotency-Key will use, kept before its wallet is made: a retry after a crash finds
-- the same id, and by it the same wallet. It counts for nothing else.
create table agent_reservations (
  owner_id text not null references owners (id),
  request_hash text not null,
  agent_id text not null,
  created_at timestamptz not null,
  primary key (owner_id, request_hash)
);
create index agent_reservations_created_at on agent_reservations (created_at);
