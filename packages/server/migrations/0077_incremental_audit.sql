-- The audit looks at what has changed since its last look, and walks through everything else slowly.

-- What has changed and was not audited yet: the kind of the record, and its key. Written in the transaction of the change,
-- so that one that commits late is seen late, and none is skipped. It has no unique key: two transactions that change the
-- same record never wait for each other here.
create table audit_changes (
  id bigint generated always as identity primary key,
  kind text not null,
  key text not null
);

-- What does not hold, until it holds again. `rows` is what the rule found.
create table audit_breaches (
  invariant text not null,
  message text not null,
  key text not null,
  rows jsonb not null,
  found_at timestamptz not null default now(),
  primary key (invariant, message, key)
);

-- Where the full pass stands: the subject that it walks through, and the last key that it has checked.
create table audit_pass (
  is_only boolean primary key default true check (is_only),
  subject text,
  after text not null default '',
  started_at timestamptz not null default now(),
  -- Of the pass before.
  ended_at timestamptz
);
insert into audit_pass default values;

-- What each account holds, as far as the audit has folded the journal's postings into it; the others wait in
-- `unfolded_postings`. Nobody who posts waits for a sum. Accounts that hold nothing have no row. `escrow:` and `owed:` are
-- the sums of all accounts of that kind.
create table account_balances (
  account text primary key,
  amount_micro numeric(78, 0) not null
);
create index account_balances_empty on account_balances (account) where amount_micro = 0;
create table unfolded_postings (
  entry_id text not null,
  account text not null,
  amount_micro numeric(78, 0) not null
);
create function unfold_postings() returns trigger language plpgsql as $$
begin
  insert into unfolded_postings (entry_id, account, amount_micro) select entry_id, account, amount_micro from changed;
  return null;
end $$;
create trigger journal_postings_unfolded after insert on journal_postings referencing new table as changed
  for each statement execute function unfold_postings();
insert into account_balances (account, amount_micro)
select account, sum(amount_micro) from (
  select account, amount_micro from journal_postings
  union all
  select split_part(account, ':', 1) || ':', amount_micro from journal_postings
  where account like 'escrow:%' or account like 'owed:%') posting
group by account having sum(amount_micro) <> 0;

-- Which changes are noted, under which kind and key. Where columns are named, an update that leaves them alone is not.
do $do$
declare
  noted record;
  event text;
  is_changed text;
begin
  for noted in select * from (values
    ('chain_events', 'transaction', 'tx_hash', 'true', null),
    ('chain_transaction_hashes', 'transaction', 'hash', 'true', null),
    ('chain_transactions', 'intent', 'intent_id', 'true', null),
    ('intents', 'intent', 'id', 'true', array['status', 'tx_hash', 'block_number', 'block_hash', 'lane', 'key', 'request_id']),
    ('watched_wallets', 'account', 'account', 'true', null),
    ('held_payments', 'account', '''owed:'' || n.recipient', 'true', array['held_micro']),
    ('jobs', 'job', 'id', 'true', null),
    ('job_events', 'job', 'job_id', 'n.type = ''JOB_FUNDED''', null),
    ('reviews', 'job', 'job_id', 'true', null),
    ('job_exclusions', 'agent', 'agent_id', 'true', null),
    ('agents', 'agent', 'id', 'true', array['owner_id', 'completed_jobs', 'cancelled_jobs', 'settled_volume_micro',
      'review_count', 'rating_sum', 'undelivered_jobs', 'owes_too_much', 'withheld_with', 'verified_x402_payments', 'score',
      'scored_at']),
    ('x402_transactions', 'report', 'id', 'true', null),
    ('withdrawals', 'withdrawal', 'id', 'true', null),
    ('agent_spends', 'withdrawal', 'id', 'true', null),
    ('subscriptions', 'subscription', 'id', 'true', null),
    ('spend_permissions', 'subscription', 'subscription_id', 'true', null),
    ('subscription_pulls', 'subscription', 'subscription_id', 'true', null),
    ('budgets', 'budget', 'id', 'true', null),
    ('budget_jobs', 'budget', 'budget_id', 'true', null)
  ) as t (table_name, kind, key, condition, columns) loop
    foreach event in array array['insert', 'update', 'delete'] loop
      -- Only tables with a single-column key name columns.
      is_changed := 'true';
      if event = 'update' and noted.columns is not null then
        is_changed := format('exists (select 1 from before o where o.%1$s = n.%1$s and (%2$s) is not distinct from (%3$s)) is false',
          case noted.table_name when 'held_payments' then 'recipient' else 'id' end,
          (select string_agg('o.' || c, ', ') from unnest(noted.columns) c),
          (select string_agg('n.' || c, ', ') from unnest(noted.columns) c));
      end if;
      execute format(
        'create function note_%1$s_%2$s() returns trigger language plpgsql as $body$
        begin
          insert into audit_changes (kind, key) select distinct %3$L, %4$s from changed n where %5$s and %6$s;
          return null;
        end $body$',
        noted.table_name, event, noted.kind,
        case when noted.key like '%n.%' then noted.key else 'n.' || noted.key end, noted.condition, is_changed);
      execute format(
        'create trigger %1$s_noted_%2$s after %2$s on %1$s referencing %3$s for each statement execute function note_%1$s_%2$s()',
        noted.table_name, event,
        case event when 'delete' then 'old table as changed' when 'insert' then 'new table as changed'
          else 'new table as changed old table as before' end);
    end loop;
  end loop;
end $do$;

-- Blocks are noted when they go or change; a new one can break nothing.
create function note_chain_blocks() returns trigger language plpgsql as $$
begin
  insert into audit_changes (kind, key) select 'block', number::text from changed;
  return null;
end $$;
create trigger chain_blocks_noted_update after update on chain_blocks referencing old table as changed
  for each statement execute function note_chain_blocks();
create trigger chain_blocks_noted_delete after delete on chain_blocks referencing old table as changed
  for each statement execute function note_chain_blocks();

-- Each span of a hundred blocks that the indexer has read on in.
create function note_chain_cursors() returns trigger language plpgsql as $$
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
create trigger chain_cursors_noted_change after insert or update on chain_cursors
  for each row execute function note_chain_cursors();

-- How the audit finds what belongs to a changed record.
create index watched_wallets_account on watched_wallets (account);
create index x402_transactions_agent on x402_transactions (agent_id) where counted;

-- One spelling of each transaction, so that two entries at one place have the same key.
alter table journal_entries add constraint journal_entries_tx_lower check (tx_hash = lower(tx_hash)) not valid;
