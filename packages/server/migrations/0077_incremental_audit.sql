-- online
-- Each statement is a transaction of its own: none keeps a table locked while it waits for another.

-- The audit looks at what has changed since its last look, and walks through everything else slowly.

-- What has changed and was not audited yet: the kind of the record, and its key. Written in the transaction of the change,
-- so that one that commits late is seen late, and none is skipped. It has no unique key: two transactions that change the
-- same record never wait for each other here.
create table if not exists audit_changes (
  id bigint generated always as identity primary key,
  kind text not null,
  key text not null
);

-- What does not hold, until it holds again. `rows` is what the rule found.
create table if not exists audit_breaches (
  invariant text not null,
  message text not null,
  key text not null,
  rows jsonb not null,
  found_at timestamptz not null default now(),
  primary key (invariant, message, key)
);

-- Where the full pass stands: the subject that it walks through, and the last key that it has checked.
create table if not exists audit_pass (
  is_only boolean primary key default true check (is_only),
  subject text,
  after text not null default '',
  started_at timestamptz not null default now(),
  -- Of the pass before.
  ended_at timestamptz,
  -- When a person was notified that it is overdue.
  alerted_at timestamptz
);
insert into audit_pass default values on conflict do nothing;

-- What each account holds, as far as the audit has folded the journal's postings into it; the others wait in
-- `unfolded_postings`. Nobody who posts waits for a sum. Accounts that hold nothing have no row. `escrow:` and `owed:` are
-- the sums of all accounts of that kind.
create table if not exists account_balances (
  account text primary key,
  amount_micro numeric(78, 0) not null
);
create index if not exists account_balances_empty on account_balances (account) where amount_micro = 0;
create table if not exists unfolded_postings (
  entry_id text not null,
  account text not null,
  amount_micro numeric(78, 0) not null
);
create index if not exists unfolded_postings_account on unfolded_postings (account);
create or replace function unfold_postings() returns trigger language plpgsql as $$
begin
  insert into unfolded_postings (entry_id, account, amount_micro) select entry_id, account, amount_micro from changed;
  return null;
end $$;

-- Which changes are noted, under which kind and key: one function for each table and event. An update notes the keys before
-- and after it; where columns are named, one that leaves them alone is not noted (only tables with a key of one column name
-- any). What is noted `on leaving` is found through the row for as long as the row has that key. `later` leaves insertions
-- out: those into the journal are noted when they are folded, and a new block can break nothing.
do $do$
declare
  noted record;
begin
  for noted in
    select table_name, event, string_agg(format(
      E'  insert into audit_changes (kind, key) select %L, key from (%s) noted where key is not null;\n', kind,
      case
        when event = 'insert' then format('select distinct %s as key from changed n where %s', key, condition)
        when event = 'delete' then format('select distinct %s as key from before n where %s', key, condition)
        when moment = 'on leaving' then
          format('select %1$s as key from before n where %2$s except select %1$s from changed n where %2$s', key, condition)
        when columns is null then
          format('select %1$s as key from changed n where %2$s union select %1$s from before n where %2$s', key, condition)
        -- A full join is never a loop within a loop, however many rows a statement changes.
        else format('select %1$s as key from (select coalesce(n.%2$s, o.%2$s) as %2$s
          from changed n full join before o on o.%2$s = n.%2$s where (n.%2$s, %3$s) is distinct from (o.%2$s, %4$s)) n',
          key, case table_name when 'held_payments' then 'recipient' else 'id' end,
          (select string_agg('n.' || c, ', ') from unnest(columns) c), (select string_agg('o.' || c, ', ') from unnest(columns) c))
      end), '') as statements
    from (values
      ('chain_events', 'transaction', 'n.tx_hash', 'true', 'always', null),
      ('chain_events', 'span', '(n.block_number / 100)::text', 'true', 'on leaving', null),
      ('chain_events', 'escrow', 'n.subject', 'n.name in (''JobFunded'', ''JobClosed'')', 'on leaving', null),
      ('chain_events', 'permission', 'n.subject', 'n.name = ''SpendPermissionUsed''', 'on leaving', null),
      ('chain_transaction_hashes', 'transaction', 'n.hash', 'true', 'always', null),
      ('chain_transactions', 'intent', 'n.intent_id', 'true', 'always', null),
      ('chain_blocks', 'block', 'n.number::text', 'true', 'later', null),
      ('intents', 'intent', 'n.id', 'true', 'always',
        array['status', 'tx_hash', 'block_number', 'block_hash', 'lane', 'key', 'request_id']),
      ('intents', 'job', 'substr(n.lane, 5)', 'n.lane like ''job:%''', 'on leaving', null),
      ('intents', 'withdrawal', 'split_part(n.key, '':'', 2)', 'n.key like ''withdrawal:%''', 'on leaving', null),
      ('watched_wallets', 'account', 'n.account', 'true', 'always', null),
      ('held_payments', 'account', '''owed:'' || n.recipient', 'true', 'always', array['held_micro']),
      ('jobs', 'job', 'n.id', 'true', 'always', null),
      ('jobs', 'agent', 'n.agent_id', 'true', 'on leaving', null),
      ('job_events', 'job', 'n.job_id', 'n.type = ''JOB_FUNDED''', 'always', null),
      ('reviews', 'job', 'n.job_id', 'true', 'always', null),
      ('job_exclusions', 'agent', 'n.agent_id', 'true', 'always', null),
      ('agents', 'agent', 'n.id', 'true', 'always', array['owner_id', 'completed_jobs', 'cancelled_jobs',
        'settled_volume_micro', 'review_count', 'rating_sum', 'undelivered_jobs', 'owes_too_much', 'withheld_with',
        'verified_x402_payments']),
      ('agents', 'score', 'n.id', 'true', 'always', array['owner_id', 'review_count', 'score', 'scored_at']),
      ('x402_transactions', 'report', 'n.id', 'true', 'always', null),
      ('x402_transactions', 'agent', 'n.agent_id', 'true', 'on leaving', null),
      ('withdrawals', 'withdrawal', 'n.id', 'true', 'always', null),
      ('withdrawals', 'job', 'n.job_id', 'true', 'on leaving', null),
      ('withdrawals', 'intent', 'n.intent_id', 'true', 'on leaving', null),
      ('agent_spends', 'withdrawal', 'n.id', 'true', 'always', null),
      ('subscriptions', 'subscription', 'n.id', 'true', 'always', null),
      ('spend_permissions', 'subscription', 'n.subscription_id', 'true', 'always', null),
      ('subscription_pulls', 'subscription', 'n.subscription_id', 'true', 'always', null),
      ('budgets', 'budget', 'n.id', 'true', 'always', null),
      ('budget_jobs', 'budget', 'n.budget_id', 'true', 'always', null),
      ('journal_entries', 'entry', 'n.id', 'true', 'later', null),
      ('journal_entries', 'entry', 'n.reverses', 'true', 'on leaving', null),
      ('journal_entries', 'transaction', 'n.tx_hash', 'true', 'on leaving', null),
      ('journal_entries', 'block', 'n.block_number::text', 'true', 'on leaving', null),
      ('journal_entries', 'intent', 'n.intent_id', 'true', 'on leaving', null),
      ('journal_entries', 'job', 'n.job_id', 'true', 'on leaving', null),
      ('journal_entries', 'subscription', 'n.subscription_id', 'true', 'on leaving', null),
      ('journal_postings', 'entry', 'n.entry_id', 'true', 'later', null),
      ('journal_postings', 'account', 'n.account', 'true', 'later', null)
    ) as t (table_name, kind, key, condition, moment, columns)
    cross join unnest(array['insert', 'update', 'delete']) as event
    where moment = 'always' or event <> 'insert'
    group by table_name, event
  loop
    execute format(
      E'create or replace function note_%s_%s() returns trigger language plpgsql as $body$\nbegin\n%s  return null;\nend $body$',
      noted.table_name, noted.event, noted.statements);
  end loop;
end $do$;

-- Each span of a hundred blocks that the indexer has read on in.
create or replace function note_chain_cursors() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into audit_changes (kind, key) values ('span', (new.block_number / 100)::text);
  elsif (old.block_number, old.block_hash) is distinct from (new.block_number, new.block_hash) then
    insert into audit_changes (kind, key)
    select 'span', span::text from generate_series(
      greatest(least(old.block_number, new.block_number) / 100, new.block_number / 100 - 20), new.block_number / 100) span;
  end if;
  return null;
end $$;
create or replace trigger chain_cursors_noted_change after insert or update on chain_cursors
  for each row execute function note_chain_cursors();

-- How the audit finds what belongs to a changed record, and walks through what is held for recipients.
drop index concurrently if exists watched_wallets_account;
create index concurrently watched_wallets_account on watched_wallets (account);
drop index concurrently if exists x402_transactions_agent;
create index concurrently x402_transactions_agent on x402_transactions (agent_id) where counted;
drop index concurrently if exists held_payments_account;
create index concurrently held_payments_account on held_payments (('owed:' || recipient));

-- One spelling of each transaction, so that two entries at one place have the same key.
alter table journal_entries drop constraint if exists journal_entries_tx_lower;
alter table journal_entries add constraint journal_entries_tx_lower check (tx_hash = lower(tx_hash)) not valid;

-- One lock at a time, those of the journal last. After one that was not free it goes on with those that are left.
do $do$
declare
  noting text;
  table_name text;
  event text;
begin
  foreach noting in array array(
    select f.proname::text from pg_proc f
    where f.proname ~ '^note_.+_(insert|update|delete)$' and not exists (select 1 from pg_trigger t where t.tgfoid = f.oid)
    order by f.proname like 'note\_journal\_%', f.proname)
  loop
    event := substring(noting from '[a-z]+$');
    table_name := substring(noting from '^note_(.+)_[a-z]+$');
    execute format('create trigger %1$s_noted_%2$s after %2$s on %1$s referencing %3$s for each statement execute function %4$s()',
      table_name, event,
      case event when 'delete' then 'old table as before' when 'insert' then 'new table as changed'
        else 'new table as changed old table as before' end,
      noting);
    commit;
  end loop;
end $do$;
create or replace trigger journal_postings_unfolded after insert on journal_postings referencing new table as changed
  for each statement execute function unfold_postings();

-- What was posted before; what was posted since waits in `unfolded_postings`. One statement sees one moment, so it needs no
-- lock: a posting that the trigger has seen is there together with what the trigger wrote.
with posted as (
  select account, amount_micro from journal_postings
  union all
  select account, -amount_micro from unfolded_postings
)
insert into account_balances (account, amount_micro)
select account, sum(amount_micro) from (
  select account, amount_micro from posted
  union all
  select split_part(account, ':', 1) || ':', amount_micro from posted
  where account like 'escrow:%' or account like 'owed:%') posting
group by account having sum(amount_micro) <> 0
on conflict do nothing;
