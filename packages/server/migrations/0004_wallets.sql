-- The keys of agents' wallets, sealed under a master key that the database never holds. The wallet is made before its
-- agent is stored, so that a retry after a crash finds it; hence no reference to the agent.
create table agent_wallet_keys (
  agent_id text primary key,
  address text not null,
  -- The id of the master key, a dot, then nonce, tag and ciphertext.
  sealed_key text not null,
  per_tx_limit_micro bigint check (per_tx_limit_micro >= 0),
  created_at timestamptz not null default now()
);
create unique index agent_wallet_keys_address on agent_wallet_keys (lower(address));
