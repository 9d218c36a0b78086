-- online
-- A page of spending is found in an index alone, also that of one agent among very many.

-- That of the journal entry, which never changes: what an owner did not spend is passed over by its kind.
alter table spending_entries add column if not exists kind text;

create or replace function follow_spending() returns trigger language plpgsql as $$
begin
  insert into spending_entries (entry_id, owner_id, agent_id, at, seq, kind)
  select e.id, coalesce(jobs.client_id, e.owner_id), coalesce(jobs.agent_id, ''), e.at, e.seq, e.kind
  from changed e left join jobs on jobs.id = e.job_id
  where e.reverses is null and coalesce(jobs.client_id, e.owner_id) is not null;
  insert into spending_days_due (owner_id, day, minute)
  select coalesce(jobs.client_id, e.owner_id), (e.at at time zone 'UTC')::date, date_trunc('minute', e.at, 'UTC')
  from changed e left join jobs on jobs.id = e.job_id
  where coalesce(jobs.client_id, e.owner_id) is not null
  union
  -- The other days of the same job: on which of them it counts may have changed.
  select jobs.client_id, (other.at at time zone 'UTC')::date, date_trunc('minute', other.at, 'UTC')
  from changed e join jobs on jobs.id = e.job_id join journal_entries other on other.job_id = e.job_id;
  return null;
end $$;

-- To fill in what the entry has had all along is no change that the audit has to look at.
create or replace function note_changed_spending_entries() returns trigger language plpgsql as $$
begin
  insert into audit_changes (kind, key)
  select distinct 'entry', changed.entry_id
  from changed left join former on former.entry_id = changed.entry_id
  where (former.kind is not null and former.kind is distinct from changed.kind)
    or (former.owner_id, former.agent_id, former.at, former.seq)
      is distinct from (changed.owner_id, changed.agent_id, changed.at, changed.seq);
  return null;
end $$;
create or replace trigger spending_entries_noted_update after update on spending_entries
  referencing old table as former new table as changed
  for each statement execute function note_changed_spending_entries();

-- Made first, because it waits for every transaction that may still write a row without its kind.
drop index concurrently if exists spending_entries_without_kind;
create index concurrently spending_entries_without_kind on spending_entries (entry_id) where kind is null;

-- What was posted before.
do $$
declare
  done text := '';
  upto text;
begin
  loop
    select max(entry_id) into upto
    from (select entry_id from spending_entries where kind is null and entry_id > done order by entry_id limit 10000) next;
    exit when upto is null;
    -- Each by the key of its entry: a join may read all of them for every ten thousand.
    update spending_entries known set kind = (select e.kind from journal_entries e where e.id = known.entry_id)
    where known.kind is null and known.entry_id > done and known.entry_id <= upto;
    done := upto;
    commit;
  end loop;
end $$;

drop index concurrently if exists spending_entries_by_time;
create index concurrently spending_entries_by_time on spending_entries (owner_id, at, seq)
  include (agent_id, kind, entry_id);

-- What the new one replaces. Last, because a run that is interrupted begins again.
drop index concurrently if exists spending_entries_owner;
drop index concurrently if exists spending_entries_without_kind;

-- Until it has run, the planner takes it that every entry has to be looked up in the table.
analyze spending_entries;
vacuum spending_entries;
