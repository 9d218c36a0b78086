-- online
-- A page of earnings is found in an index alone, whatever else came into the wallets.

-- That of the journal entry, which never changes, and whether the journal takes that entry back: what is no income is
-- passed over by these.
alter table earning_entries add column if not exists kind text,
  add column if not exists is_reversed boolean not null default false;

create or replace function follow_earnings() returns trigger language plpgsql as $$
begin
  insert into earning_entries (account, at, seq, entry_id, amount_micro, kind)
  select p.account, e.at, e.seq, e.id, p.amount_micro, e.kind from changed p join journal_entries e on e.id = p.entry_id
  where p.amount_micro > 0 and e.reverses is null and (p.account like 'wallet:%' or p.account like 'claimed:%');
  update earning_entries known set is_reversed = true
  where not known.is_reversed and known.entry_id in (
    select e.reverses from changed c join journal_entries e on e.id = c.entry_id where e.reverses is not null);
  insert into earning_days_due (account, day, minute)
  select p.account, (e.at at time zone 'UTC')::date, date_trunc('minute', e.at, 'UTC')
  from changed p join journal_entries e on e.id = p.entry_id
  where p.account like 'wallet:%' or p.account like 'claimed:%'
  union
  -- What came back of a job is no income of the day on which it was paid.
  select p.account, (paid.at at time zone 'UTC')::date, date_trunc('minute', paid.at, 'UTC')
  from changed c join journal_entries e on e.id = c.entry_id
  join journal_entries paid on paid.job_id = e.job_id and paid.id <> e.id
  join journal_postings p on p.entry_id = paid.id and p.account like 'wallet:%';
  -- A payment that is known is not claimed any more.
  perform claims_are_due(array_agg(logged.id))
  from changed c join journal_entries e on e.id = c.entry_id join x402_transactions logged on logged.tx_key = e.tx_hash
  having count(*) > 0;
  return null;
end $$;

-- To fill in what the entry and its posting have had all along is no change that the audit has to look at.
create or replace function note_changed_earning_entries() returns trigger language plpgsql as $$
begin
  insert into audit_changes (kind, key)
  select distinct 'entry', changed.entry_id
  from changed left join former on former.entry_id = changed.entry_id and former.account = changed.account
  where (former.amount_micro is not null and former.amount_micro is distinct from changed.amount_micro)
    or (former.kind is not null
      and (former.kind is distinct from changed.kind or former.is_reversed is distinct from changed.is_reversed))
    or former.at is distinct from changed.at or former.seq is distinct from changed.seq;
  return null;
end $$;

-- Made first, because it waits for every transaction that may still write a row without its kind.
drop index concurrently if exists earning_entries_without_kind;
create index concurrently earning_entries_without_kind on earning_entries (entry_id) where kind is null;

-- What was posted before.
do $$
declare
  done text := '';
  upto text;
begin
  loop
    select max(entry_id) into upto
    from (select entry_id from earning_entries where kind is null and entry_id > done order by entry_id limit 10000) next;
    exit when upto is null;
    -- Each by the key of its entry: a join may read all of them for every ten thousand. What is reversed in the meantime
    -- is marked by the trigger, and stays so.
    update earning_entries known set kind = (select e.kind from journal_entries e where e.id = known.entry_id),
      is_reversed = known.is_reversed or exists (select from journal_entries r where r.reverses = known.entry_id offset 0)
    where known.kind is null and known.entry_id > done and known.entry_id <= upto;
    done := upto;
    commit;
  end loop;
end $$;

drop index concurrently if exists earning_entries_by_time;
create unique index concurrently earning_entries_by_time on earning_entries (account, at, seq, entry_id)
  include (kind, is_reversed);
alter table earning_entries drop constraint earning_entries_pkey,
  add constraint earning_entries_pkey primary key using index earning_entries_by_time;
drop index concurrently if exists earning_entries_highest;
create index concurrently earning_entries_highest on earning_entries (account, amount_micro, seq)
  include (at, entry_id, kind, is_reversed);

-- What the new ones replace. Last, because a run that is interrupted begins again.
drop index concurrently if exists earning_entries_by_amount;
drop index concurrently if exists earning_entries_without_kind;

-- Until it has run, the planner takes it that every entry has to be looked up in the table.
analyze earning_entries;
vacuum earning_entries;
