-- online
-- Of a day with very many entries its minutes are kept too, so that a change adds up a minute of it and not the day.

create table if not exists earning_minutes (
  account text not null,
  minute timestamptz not null,
  source text not null,
  service_id text not null,
  has_job boolean not null,
  count bigint not null,
  net_micro numeric(78, 0) not null,
  fee_micro numeric(78, 0) not null,
  unverified_micro numeric(78, 0) not null,
  primary key (account, minute, source, service_id, has_job)
);
create table if not exists spending_minutes (
  owner_id text not null,
  minute timestamptz not null,
  kind text not null,
  agent_id text not null,
  since date not null,
  count bigint not null,
  paid_micro numeric(78, 0) not null,
  refunded_micro numeric(78, 0) not null,
  primary key (owner_id, minute, kind, agent_id, since)
);

-- Whether the row is the sum of its minutes. A process of the version before replaces such rows by sums of whole days.
alter table earning_days add column if not exists in_minutes boolean not null default false;
alter table spending_days add column if not exists in_minutes boolean not null default false;
drop index concurrently if exists earning_days_in_minutes;
create index concurrently earning_days_in_minutes on earning_days (account, day) where in_minutes;
drop index concurrently if exists spending_days_in_minutes;
create index concurrently spending_days_in_minutes on spending_days (owner_id, day) where in_minutes;

-- Without it the whole day is due.
alter table earning_days_due add column if not exists minute timestamptz;
alter table spending_days_due add column if not exists minute timestamptz;

create or replace function claims_are_due(report_ids text[]) returns void language sql as $$
  insert into earning_days_due (account, day, minute)
  select distinct mine.account, (e.at at time zone 'UTC')::date, date_trunc('minute', e.at, 'UTC')
  from unnest(report_ids) as report (id)
  join journal_postings other on other.account = 'outside:claim:' || report.id
  join journal_entries e on e.id = other.entry_id
  join journal_postings mine on mine.entry_id = e.id and mine.account like 'claimed:%'
$$;

create or replace function follow_earnings() returns trigger language plpgsql as $$
begin
  insert into earning_entries (account, at, seq, entry_id, amount_micro)
  select p.account, e.at, e.seq, e.id, p.amount_micro from changed p join journal_entries e on e.id = p.entry_id
  where p.amount_micro > 0 and e.reverses is null and (p.account like 'wallet:%' or p.account like 'claimed:%');
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

create or replace function follow_spending() returns trigger language plpgsql as $$
begin
  insert into spending_entries (entry_id, owner_id, agent_id, at, seq)
  select e.id, coalesce(jobs.client_id, e.owner_id), coalesce(jobs.agent_id, ''), e.at, e.seq
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

create or replace function note_earning_minutes() returns trigger language plpgsql as $$
begin
  insert into audit_changes (kind, key)
  select distinct 'earnings of a minute', account || ' ' || to_char(minute at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')
  from changed;
  return null;
end $$;
create or replace trigger earning_minutes_noted_insert after insert on earning_minutes referencing new table as changed
  for each statement execute function note_earning_minutes();
create or replace trigger earning_minutes_noted_update after update on earning_minutes referencing new table as changed
  for each statement execute function note_earning_minutes();
create or replace trigger earning_minutes_noted_delete after delete on earning_minutes referencing old table as changed
  for each statement execute function note_earning_minutes();

create or replace function note_spending_minutes() returns trigger language plpgsql as $$
begin
  insert into audit_changes (kind, key)
  select distinct 'spending of a minute', owner_id || ' ' || to_char(minute at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')
  from changed;
  return null;
end $$;
create or replace trigger spending_minutes_noted_insert after insert on spending_minutes referencing new table as changed
  for each statement execute function note_spending_minutes();
create or replace trigger spending_minutes_noted_update after update on spending_minutes referencing new table as changed
  for each statement execute function note_spending_minutes();
create or replace trigger spending_minutes_noted_delete after delete on spending_minutes referencing old table as changed
  for each statement execute function note_spending_minutes();

-- Days that were busy before.
insert into earning_days_due (account, day)
select account, day from earning_days where not in_minutes group by account, day having sum(count) > 1000;
insert into spending_days_due (owner_id, day)
select owner_id, day from spending_days where not in_minutes group by owner_id, day having sum(count) > 1000;
