-- online
-- Sums of what owners spend, by day, so that a buyer with many payments does not wait for them to be added up.

-- Entries of the journal that are about an owner's money, in the order of time: those of their jobs as a client, and those
-- that name the owner. Which of them are spending is decided when they are read.
create table if not exists spending_entries (
  entry_id text primary key,
  owner_id text not null,
  -- Empty without a job.
  agent_id text not null,
  at timestamptz not null,
  seq bigint not null
);
create index if not exists spending_entries_owner on spending_entries (owner_id, at, seq);

-- The sums of each day in UTC. `since` is the day on which the same jobs had moved money last: a job counts once in a
-- period, with its first movement in it.
create table if not exists spending_days (
  owner_id text not null,
  day date not null,
  kind text not null,
  -- Empty without a job.
  agent_id text not null,
  since date not null,
  count bigint not null,
  paid_micro numeric(78, 0) not null,
  refunded_micro numeric(78, 0) not null,
  primary key (owner_id, day, kind, agent_id, since)
);

-- Days whose sums do not count until they are computed again. Written with the change; without a unique key, so that
-- nobody waits here for another.
create table if not exists spending_days_due (
  owner_id text not null,
  day date not null
);
create index if not exists spending_days_due_owner on spending_days_due (owner_id, day);

create or replace function follow_spending() returns trigger language plpgsql as $$
begin
  insert into spending_entries (entry_id, owner_id, agent_id, at, seq)
  select e.id, coalesce(jobs.client_id, e.owner_id), coalesce(jobs.agent_id, ''), e.at, e.seq
  from changed e left join jobs on jobs.id = e.job_id
  where e.reverses is null and coalesce(jobs.client_id, e.owner_id) is not null;
  insert into spending_days_due (owner_id, day)
  select coalesce(jobs.client_id, e.owner_id), (e.at at time zone 'UTC')::date
  from changed e left join jobs on jobs.id = e.job_id
  where coalesce(jobs.client_id, e.owner_id) is not null
  union
  -- The other days of the same job: on which of them it counts may have changed.
  select jobs.client_id, (other.at at time zone 'UTC')::date
  from changed e join jobs on jobs.id = e.job_id join journal_entries other on other.job_id = e.job_id;
  return null;
end $$;

create or replace function note_spending_days() returns trigger language plpgsql as $$
begin
  insert into audit_changes (kind, key) select distinct 'spending', owner_id || ' ' || day from changed;
  return null;
end $$;
create or replace trigger spending_days_noted_insert after insert on spending_days referencing new table as changed
  for each statement execute function note_spending_days();
create or replace trigger spending_days_noted_update after update on spending_days referencing new table as changed
  for each statement execute function note_spending_days();
create or replace trigger spending_days_noted_delete after delete on spending_days referencing old table as changed
  for each statement execute function note_spending_days();

-- Those that an entry makes are noted with it.
create or replace function note_spending_entries() returns trigger language plpgsql as $$
begin
  insert into audit_changes (kind, key) select distinct 'entry', entry_id from changed;
  return null;
end $$;
create or replace trigger spending_entries_noted_insert after insert on spending_entries referencing new table as changed
  for each statement when (pg_trigger_depth() = 0) execute function note_spending_entries();
create or replace trigger spending_entries_noted_update after update on spending_entries referencing new table as changed
  for each statement execute function note_spending_entries();
create or replace trigger spending_entries_noted_delete after delete on spending_entries referencing old table as changed
  for each statement execute function note_spending_entries();

create or replace trigger journal_entries_spent after insert on journal_entries referencing new table as changed
  for each statement execute function follow_spending();

-- What was posted before.
insert into spending_entries (entry_id, owner_id, agent_id, at, seq)
select e.id, coalesce(jobs.client_id, e.owner_id), coalesce(jobs.agent_id, ''), e.at, e.seq
from journal_entries e left join jobs on jobs.id = e.job_id
where e.reverses is null and coalesce(jobs.client_id, e.owner_id) is not null
on conflict do nothing;
insert into spending_days_due (owner_id, day)
select distinct owner_id, (at at time zone 'UTC')::date from spending_entries;
