-- Search that costs the same for a million agents as for a hundred thousand.

-- One narrow row for each agent that can be found, with what filters and sorts look at. Sorts walk over these rows and
-- never over the wide ones, so what they touch stays in memory; and a job or a payment changes this row and its indexes
-- alone, while the wide row is updated in place. Triggers on `agents` are the only writer.
create table agent_listings (
  id text primary key,
  average_rating float8 not null,
  lowest_price_micro bigint not null,
  total_earned_micro bigint not null,
  created_at timestamptz not null,
  total_jobs integer not null,
  x402_enabled boolean not null,
  is_premium boolean not null,
  category_key text not null,
  skill_keys text[] not null
) with (
  -- Walks read no row at all where the table was vacuumed lately.
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);

-- How many listed agents have a word or a skill, kept like the counts of categories.
create table agent_term_counts (
  kind text not null check (kind in ('WORD', 'SKILL')),
  term text not null,
  listed_count bigint not null,
  primary key (kind, term)
);
create function agent_terms(search tsvector, skill_keys text[]) returns table (kind text, term text)
language sql immutable parallel safe as $$
  select 'WORD', unnest(tsvector_to_array(search))
  union all
  select distinct 'SKILL', unnest(skill_keys)
$$;

insert into agent_listings
select id, average_rating, lowest_price_micro, total_earned_micro, created_at, total_jobs, x402_enabled, is_premium,
  category_key, skill_keys
from agents where listed;

insert into agent_term_counts
select kind, term, count(*) from agents cross join agent_terms(search, skill_keys) where listed group by kind, term;

drop trigger agents_count_inserted on agents;
drop trigger agents_count_updated on agents;
drop trigger agents_count_deleted on agents;
drop function count_listed_agents();

-- Many agents at once are counted together. A change of one agent is followed row by row, and only where it matters here.
create function list_inserted_agents() returns trigger language plpgsql as $$
begin
  insert into agent_listings
  select id, average_rating, lowest_price_micro, total_earned_micro, created_at, total_jobs, x402_enabled, is_premium,
    category_key, skill_keys
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
create trigger agents_inserted after insert on agents
  referencing new table as new_agents for each statement execute function list_inserted_agents();

create function unlist_deleted_agents() returns trigger language plpgsql as $$
begin
  delete from agent_listings using old_agents where agent_listings.id = old_agents.id;
  insert into agent_counts as counts (category_key, listed_count)
  select category_key, -count(*) from old_agents where listed group by category_key order by category_key
  on conflict (category_key) do update set listed_count = counts.listed_count + excluded.listed_count;
  insert into agent_term_counts as counts (kind, term, listed_count)
  select kind, term, -count(*) from old_agents cross join agent_terms(search, skill_keys)
  where listed group by kind, term order by kind, term
  on conflict (kind, term) do update set listed_count = counts.listed_count + excluded.listed_count;
  return null;
end $$;
create trigger agents_deleted after delete on agents
  referencing old table as old_agents for each statement execute function unlist_deleted_agents();

create function follow_listing() returns trigger language plpgsql as $$
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
      skill_keys = new.skill_keys
    where id = new.id;
  elsif new.listed then
    insert into agent_listings values (
      new.id, new.average_rating, new.lowest_price_micro, new.total_earned_micro, new.created_at, new.total_jobs,
      new.x402_enabled, new.is_premium, new.category_key, new.skill_keys);
  else
    delete from agent_listings where id = old.id;
  end if;
  return null;
end $$;
create trigger agents_listing_updated after update on agents for each row
  when ((old.listed or new.listed) and (
    old.listed, old.average_rating, old.lowest_price_micro, old.total_earned_micro, old.created_at, old.total_jobs,
    old.x402_enabled, old.is_premium, old.category_key, old.skill_keys
  ) is distinct from (
    new.listed, new.average_rating, new.lowest_price_micro, new.total_earned_micro, new.created_at, new.total_jobs,
    new.x402_enabled, new.is_premium, new.category_key, new.skill_keys))
  execute function follow_listing();

create function follow_counts() returns trigger language plpgsql as $$
begin
  insert into agent_counts as counts (category_key, listed_count)
  select category_key, sum(change) from (
    values (new.category_key, new.listed::integer), (old.category_key, -(old.listed::integer))
  ) as changes (category_key, change)
  group by category_key having sum(change) <> 0 order by category_key
  on conflict (category_key) do update set listed_count = counts.listed_count + excluded.listed_count;
  insert into agent_term_counts as counts (kind, term, listed_count)
  select kind, term, sum(change) from (
    select kind, term, 1 as change from agent_terms(new.search, new.skill_keys) where new.listed
    union all
    select kind, term, -1 from agent_terms(old.search, old.skill_keys) where old.listed) changes
  group by kind, term having sum(change) <> 0 order by kind, term
  on conflict (kind, term) do update set listed_count = counts.listed_count + excluded.listed_count;
  return null;
end $$;
create trigger agents_counts_updated after update on agents for each row
  when ((old.listed or new.listed)
    and (old.listed, old.category_key, old.skill_keys, old.search)
      is distinct from (new.listed, new.category_key, new.skill_keys, new.search))
  execute function follow_counts();

-- One walk per sort. The filters by number, type and x402 are answered by what the index includes. A type has a walk of its
-- own for the sort that search begins with; lists walk over the agents themselves, newest first, as before.
create index agent_listings_by_rating on agent_listings (average_rating desc, is_premium desc, id desc)
  include (lowest_price_micro, x402_enabled, category_key);
create index agent_listings_by_price on agent_listings (lowest_price_micro, is_premium desc, id desc)
  include (average_rating, x402_enabled, category_key);
create index agent_listings_by_jobs on agent_listings (total_jobs desc, is_premium desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled, category_key);
create index agent_listings_by_earned on agent_listings (total_earned_micro desc, is_premium desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled, category_key);
create index agent_listings_by_newest on agent_listings (created_at desc, id desc)
  include (average_rating, lowest_price_micro, x402_enabled, category_key);
create index agent_listings_category_rating on agent_listings (category_key, average_rating desc, is_premium desc, id desc)
  include (lowest_price_micro, x402_enabled);

-- Rating and price are the filters that come together: within each star every price below the wanted one is a match, or
-- nearly, so that counting passes over few others.
create index agent_listings_star_price on agent_listings (floor(average_rating), lowest_price_micro)
  include (average_rating, x402_enabled, category_key);

-- The marks that a rating has reached. Every mark is a key of an inverted index, so "at least 4.5" is one lookup there;
-- they are closer where most ratings are.
create function rating_mark(rating float8) returns integer language sql immutable parallel safe
return width_bucket(rating, '{2,3,3.5,4,4.3,4.5,4.6,4.7,4.8,4.85,4.9,4.95,5}'::float8[]);
create function rating_marks(rating float8) returns integer[] language sql immutable parallel safe
return ('{1,2,3,4,5,6,7,8,9,10,11,12,13}'::integer[])[1:rating_mark(rating)];

-- Words, skills, type, x402 and rating in one inverted index: it intersects them itself, and only agents that have them
-- all are read. Short pending lists, because every search reads them from end to end.
create index agents_words on agents
  using gin (search, skill_keys, (array[category_key]), (array[x402_enabled]), rating_marks(average_rating))
  with (gin_pending_list_limit = 512) where listed;
create index agent_listings_skills on agent_listings
  using gin (skill_keys, (array[category_key]), (array[x402_enabled]))
  with (gin_pending_list_limit = 512);
-- The planner keeps no statistics of what a partial index computes.
create statistics agents_type_key on (array[category_key]) from agents;
create statistics agents_x402_key on (array[x402_enabled]) from agents;
create statistics agents_rating_keys on (rating_marks(average_rating)) from agents;
-- The best-rated of a frequent word are found by walking down the ratings.
create index agents_rating on agents (average_rating desc, is_premium desc, id desc) where listed;
drop index agents_by_rating;
drop index agents_by_price;
drop index agents_by_jobs;
drop index agents_by_earned;
drop index agents_category_rating;
drop index agents_search;
drop index agents_skills;

-- Room on every page, so that a new version of a row finds place beside the old one.
alter table agents set (fillfactor = 85);
