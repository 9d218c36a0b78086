-- A transaction can be several payments, and a payment has one record that its parties share: keyed by the transfer that
-- proves it. Whoever else reports it sees what it said itself, and stands in nobody's way.
alter table x402_transactions
  -- The payer's owner: proven by the chain, or by its own word about its own wallet.
  add column payer_owner_id text references owners (id),
  -- The transfer that a reporter names; null leaves it to the chain.
  add column named_log_index integer,
  -- Whether the payer or the payee has reported it. Until then nothing in it is theirs.
  add column of_parties boolean not null default false;

update x402_transactions logged set payer_owner_id = found.owner_id
from (
  select lower(wallet_address) as wallet, id as owner_id from owners
  union select lower(wallet_address), owner_id from agents) found
where logged.verification = 'VERIFIED' and found.wallet = lower(logged.payer_wallet);
update x402_transactions set of_parties = true
where owner_id = payee_owner_id or owner_id = payer_owner_id;

create table x402_reports (
  log_id text not null references x402_transactions (id),
  owner_id text not null references owners (id),
  service_name text,
  metadata jsonb,
  created_at timestamptz not null,
  primary key (log_id, owner_id)
);
create index x402_reports_by_owner on x402_reports (owner_id);
insert into x402_reports (log_id, owner_id, service_name, metadata, created_at)
select id, owner_id, service_name, metadata, created_at from x402_transactions;
update x402_transactions set service_name = null, metadata = null where not of_parties;

drop index x402_transactions_key;
create unique index x402_transactions_place on x402_transactions (chain_id, tx_key, log_index)
  where verification = 'VERIFIED';
create index x402_transactions_by_payer on x402_transactions (payer_owner_id, id) where payer_owner_id is not null;
