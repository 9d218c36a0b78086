-- One row for each EIP-3009 authorization that the service took as a payment, made before anything is sent. The
-- authorization is the identity: sent again by anyone, at any time, it finds this row and its outcome.
create table x402_payments (
  id text primary key,
  chain_id integer not null,
  token text not null,
  payer text not null,
  nonce text not null,
  pay_to text not null,
  amount_micro numeric(78, 0) not null check (amount_micro > 0),
  valid_after numeric(78, 0) not null,
  valid_before numeric(78, 0) not null,
  signature text not null,
  -- What was offered to the payer, as it was sent.
  offer jsonb not null,
  -- What is paid for: the handler that runs at settlement, and the record that it is about.
  purpose text not null,
  reference text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'SETTLED', 'REJECTED')),
  reason text,
  tx_hash text,
  -- The head of the chain when the authorization was last seen unused.
  since_block numeric(78, 0) not null,
  -- When the chain is to be asked what became of it; null while a transaction of our own is under way.
  look_up_at timestamptz,
  request_id text,
  created_at timestamptz not null,
  concluded_at timestamptz,
  check ((status = 'PENDING') = (concluded_at is null)),
  check (status <> 'SETTLED' or tx_hash is not null)
);
create unique index x402_payments_authorization on x402_payments (chain_id, token, payer, nonce);
-- Whatever is paid for is paid once: a second authorization waits until the first has failed.
create unique index x402_payments_live on x402_payments (purpose, reference) where status <> 'REJECTED';
create index x402_payments_look_up on x402_payments (look_up_at) where status = 'PENDING' and look_up_at is not null;

-- Payments that owners report. Reported is not proven: the worker looks each up on chain.
create table x402_transactions (
  id text primary key,
  owner_id text not null references owners (id),
  agent_id text not null,
  -- The owner of the agent, who sees what was paid to it.
  payee_owner_id text not null references owners (id),
  chain_id integer not null,
  -- As it was logged; `tx_key` is its lower case, so that one transaction has one row however it is spelled.
  tx_id text not null,
  tx_key text not null,
  payer_wallet text,
  payee_wallet text not null,
  amount_micro numeric(78, 0) not null check (amount_micro > 0),
  service_name text,
  metadata jsonb,
  verification text not null default 'PENDING' check (verification in ('PENDING', 'VERIFIED', 'UNVERIFIED')),
  -- The transfer that proves it.
  log_index integer,
  created_at timestamptz not null
);
-- A transaction has one record, unless the chain shows that the first to report it was wrong.
create unique index x402_transactions_key on x402_transactions (chain_id, tx_key) where verification <> 'UNVERIFIED';
create index x402_transactions_tx on x402_transactions (tx_key);
create index x402_transactions_by_owner on x402_transactions (owner_id, id);
create index x402_transactions_by_payee on x402_transactions (payee_owner_id, id);
