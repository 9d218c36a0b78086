-- online
-- Sums of what wallets earn, by day, so that a seller with many payments does not wait for them to be added up.

-- What came into wallets, and what is claimed to have, in the order of time.
create table if not exists earning_entries (
  account text not null,
  at timestamptz not null,
  seq bigint not null,
  entry_id text not null,
  primary key (account, at, seq, entry_id)
);

-- The sums of each day in UTC, of those that count as income.
create table if not exists earning_days (
  account text not null,
  day date not null,
  source text not null,
  -- Empty without one.
  service_id text not null,
  has_job boolean not null,
  count bigint not null,
  net_micro numeric(78, 0) not null,
  fee_micro numeric(78, 0) not null,
  unverified_micro numeric(78, 0) not null,
  primary key (account, day, source, service_id, has_job)
);

-- Days whose sums do not count until they are computed again. Written with the change; without a unique key, so that
-- nobody waits here for another.
create table if not exists earning_days_due (
  account text not null,
  day date not null
);
create index if not exists earning_days_due_account on earning_days_due (account, day);

-- Days on which these claims of payments stand in the journal.
create or replace function claims_are_due(report_ids text[]) returns void language sql as $$
  insert into earning_days_due (account, day)
  select distinct mine.account, (e.at at time zone 'UTC')::date
  from unnest(report_ids) as report (id)
  join journal_postings other on other.account = 'outside:claim:' || report.id
  join journal_entries e on e.id = other.entry_id
  join journal_postings mine on mine.entry_id = e.id and mine.account like 'claimed:%'
$$;

create or replace function follow_earnings() returns trigger language plpgsql as $$
begin
  insert into earning_entries (account, at, seq, entry_id)
  select p.account, e.at, e.seq, e.id from changed p join journal_entries e on e.id = p.entry_id
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

create or replace function follow_reports() returns trigger language plpgsql as $$
begin
  perform claims_are_due(array_agg(same.id))
  from changed join x402_transactions same on same.tx_key = changed.tx_key having count(*) > 0;
  return null;
end $$;
create or replace trigger x402_transactions_earned_insert after insert on x402_transactions referencing new table as changed
  for each statement execute function follow_reports();
create or replace trigger x402_transactions_earned_update after update on x402_transactions referencing new table as changed
  for each statement execute function follow_reports();
create or replace trigger x402_transactions_earned_delete after delete on x402_transactions referencing old table as changed
  for each statement execute function follow_reports();

create or replace function note_earning_days() returns trigger language plpgsql as $$
begin
  insert into audit_changes (kind, key) select distinct 'earnings', account || ' ' || day from changed;
  return null;
end $$;
create or replace trigger earning_days_noted_insert after insert on earning_days referencing new table as changed
  for each statement execute function note_earning_days();
create or replace trigger earning_days_noted_update after update on earning_days referencing new table as changed
  for each statement execute function note_earning_days();
create or replace trigger earning_days_noted_delete after delete on earning_days referencing old table as changed
  for each statement execute function note_earning_days();
create or replace trigger journal_postings_earned after insert on journal_postings referencing new table as changed
  for each statement execute function follow_earnings();

-- What was posted before.
insert into earning_entries (account, at, seq, entry_id)
select p.account, e.at, e.seq, e.id from journal_postings p join journal_entries e on e.id = p.entry_id
where p.amount_micro > 0 and e.reverses is null and (p.account like 'wallet:%' or p.account like 'claimed:%')
on conflict do nothing;
insert into earning_days_due (account, day)
select distinct account, (at at time zone 'UTC')::date from earning_entries;
