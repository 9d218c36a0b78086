-- The wallets whose USDC the books follow: those of the agents, the treasury and the spender.
create table watched_wallets (
  address text primary key check (address = lower(address)),
  -- Where its money stands in the journal.
  account text not null,
  -- From this block on every transfer is read; null until the indexer has taken the wallet up.
  since_block bigint,
  created_at timestamptz not null default now()
);
create index watched_wallets_new on watched_wallets (created_at) where since_block is null;
insert into watched_wallets (address, account)
select lower(wallet_address), 'wallet:' || lower(wallet_address) from agents;

-- Counts how often the set of followed wallets has changed: blocks that were read for another set are read again.
alter table chain_cursors add column watch_version bigint not null default 0;

-- A transfer that a fork takes back may have been a payment.
create index x402_payments_tx on x402_payments (tx_hash) where status = 'SETTLED';

-- A withdrawal that somebody else sent for us, whoever saw its signed bytes first: the transaction that carried it.
alter table withdrawals add column carried_tx_hash text;
create index withdrawals_carried on withdrawals (carried_tx_hash) where carried_tx_hash is not null;
create index withdrawals_open on withdrawals (id) where outcome is null;

-- A place on the chain has one standing entry, whatever its kind: `generation` counts all that were taken back there.
drop index journal_entries_place;
create unique index journal_entries_place on journal_entries (chain_id, tx_hash, log_index, generation)
  where reverses is null and log_index is not null;
