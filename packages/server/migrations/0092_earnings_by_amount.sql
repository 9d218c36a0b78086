-- online
-- The highest and the lowest earnings of a seller come from an index, however many there are.

-- That of the posting, which never changes.
alter table earning_entries add column if not exists amount_micro numeric(78, 0);

create or replace function follow_earnings() returns trigger language plpgsql as $$
begin
  insert into earning_entries (account, at, seq, entry_id, amount_micro)
  select p.account, e.at, e.seq, e.id, p.amount_micro from changed p join journal_entries e on e.id = p.entry_id
  where p.amount_micro > 0 and e.reverses is null and (p.account like 'wallet:%' or p.account like 'claimed:%');
  insert into earning_days_due (account, day)
  select p.account, (e.at at time zone 'UTC')::date from changed p join journal_entries e on e.id = p.entry_id
  where p.account like 'wallet:%' or p.account like 'claimed:%'
  union
  -- What came back of a job is no income of the day on which it was paid.
  select p.account, (paid.at at time zone 'UTC')::date
  from changed c join journal_entries e on e.id = c.entry_id
  join journal_entries paid on paid.job_id = e.job_id and paid.id <> e.id
  join journal_postings p on p.entry_id = paid.id and p.account like 'wallet:%';
  -- A payment that is known is not claimed any more.
  perform claims_are_due(array_agg(logged.id))
  from changed c join journal_entries e on e.id = c.entry_id join x402_transactions logged on logged.tx_key = e.tx_hash
  having count(*) > 0;
  return null;
end $$;

-- To fill in the amount that a posting has had all along is no change that the audit has to look at.
create or replace function note_changed_earning_entries() returns trigger language plpgsql as $$
begin
  insert into audit_changes (kind, key)
  select distinct 'entry', changed.entry_id
  from changed left join former on former.entry_id = changed.entry_id and former.account = changed.account
  where former.amount_micro is not null or former.at is distinct from changed.at or former.seq is distinct from changed.seq;
  return null;
end $$;
create or replace trigger earning_entries_noted_update after update on earning_entries
  referencing old table as former new table as changed
  for each statement execute function note_changed_earning_entries();

-- It waits for every transaction that may still write a row without its amount.
drop index concurrently if exists earning_entries_by_amount;
create index concurrently earning_entries_by_amount on earning_entries (account, amount_micro, seq);

-- What was posted before.
do $$
declare
  done text := '';
  upto text;
begin
  loop
    select max(entry_id) into upto
    from (select entry_id from earning_entries where entry_id > done order by entry_id limit 10000) next;
    exit when upto is null;
    -- Each by the index of postings: a join would read all of them for every ten thousand.
    update earning_entries known set amount_micro =
      (select p.amount_micro from journal_postings p where p.entry_id = known.entry_id and p.account = known.account)
    where known.entry_id > done and known.entry_id <= upto and known.amount_micro is null;
    done := upto;
    commit;
  end loop;
end $$;
