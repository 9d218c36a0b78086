-- online
-- In which version of the set of wallets each was taken up or forgotten last. The indexer keeps the set in memory and reads
-- what has changed in it, not all of it again with every new agent.
alter table watched_wallets add column if not exists changed_in bigint not null default 0;
alter table traced_wallets add column if not exists changed_in bigint not null default 0;
drop index concurrently if exists watched_wallets_changed;
create index concurrently watched_wallets_changed on watched_wallets (changed_in) where changed_in > 0;
drop index concurrently if exists traced_wallets_changed;
create index concurrently traced_wallets_changed on traced_wallets (changed_in) where changed_in > 0;

-- Up to which block those that nothing refers to were removed: the others below stay, and are not looked at again.
alter table chain_cursors add column if not exists pruned_number bigint not null default 0;
