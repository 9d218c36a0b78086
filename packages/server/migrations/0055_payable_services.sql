-- The services that programs can order and pay for at a URL of their own: of listed agents, by x402, below the price from
-- which on escrow holds the money. They are kept apart, so that a catalogue of all of them is a walk along an index, and
-- counted by category like the agents.
create table payable_services (
  agent_id text not null references agents (id) on delete cascade,
  service_id text not null,
  position integer not null,
  updated_at timestamptz not null,
  primary key (agent_id, service_id)
);
create index payable_services_newest on payable_services (updated_at desc, agent_id desc, position);

alter table agent_counts add column payable_count bigint not null default 0;
alter table agent_counts alter column listed_count set default 0;

create function payable_services_in(services jsonb) returns table (service_id text, "position" integer, service jsonb)
language sql immutable parallel safe as $$
  select service ->> 'id', place::integer, service
  from jsonb_array_elements(services) with ordinality as offered (service, place)
  where (service ->> 'x402Enabled')::boolean and (service ->> 'priceMicro')::numeric between 1 and 99999999
$$;

insert into payable_services
select agents.id, payable.service_id, payable.position, agents.created_at
from agents cross join payable_services_in(agents.services) payable where agents.listed;

insert into agent_counts as counts (category_key, payable_count)
select category_key, count(*) from agents cross join payable_services_in(agents.services) where listed group by category_key
on conflict (category_key) do update set payable_count = excluded.payable_count;

create function offer_inserted_services() returns trigger language plpgsql as $$
begin
  insert into payable_services
  select new_agents.id, payable.service_id, payable.position, new_agents.created_at
  from new_agents cross join payable_services_in(new_agents.services) payable where new_agents.listed;
  insert into agent_counts as counts (category_key, payable_count)
  select category_key, count(*) from new_agents cross join payable_services_in(new_agents.services)
  where listed group by category_key order by category_key
  on conflict (category_key) do update set payable_count = counts.payable_count + excluded.payable_count;
  return null;
end $$;
create trigger agents_services_inserted after insert on agents
  referencing new table as new_agents for each statement execute function offer_inserted_services();

create function withdraw_deleted_services() returns trigger language plpgsql as $$
begin
  insert into agent_counts as counts (category_key, payable_count)
  select category_key, -count(*) from old_agents cross join payable_services_in(old_agents.services)
  where listed group by category_key order by category_key
  on conflict (category_key) do update set payable_count = counts.payable_count + excluded.payable_count;
  return null;
end $$;
create trigger agents_services_deleted after delete on agents
  referencing old table as old_agents for each statement execute function withdraw_deleted_services();

-- A service that did not change keeps its time, and one that is listed anew is new.
create function follow_services() returns trigger language plpgsql as $$
begin
  delete from payable_services offered where offered.agent_id = new.id and (not new.listed or not exists (
    select 1 from payable_services_in(new.services) payable where payable.service_id = offered.service_id));
  insert into payable_services as offered (agent_id, service_id, position, updated_at)
  select new.id, payable.service_id, payable.position, now()
  from payable_services_in(new.services) payable where new.listed
  on conflict (agent_id, service_id) do update set
    position = excluded.position,
    updated_at = case
      when (new.service_terms ->> offered.service_id) is distinct from (old.service_terms ->> offered.service_id)
        or not exists (
          select 1 from payable_services_in(old.services) before
          join payable_services_in(new.services) after using (service_id, service)
          where service_id = offered.service_id)
      then now() else offered.updated_at end;
  insert into agent_counts as counts (category_key, payable_count)
  select category_key, sum(change) from (
    select new.category_key, 1 as change from payable_services_in(new.services) where new.listed
    union all
    select old.category_key, -1 from payable_services_in(old.services) where old.listed) changes
  group by category_key having sum(change) <> 0 order by category_key
  on conflict (category_key) do update set payable_count = counts.payable_count + excluded.payable_count;
  return null;
end $$;
create trigger agents_services_updated after update of listed, category_key, services, service_terms on agents for each row
  when (old.listed or new.listed)
  execute function follow_services();
