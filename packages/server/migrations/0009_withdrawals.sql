-- Money that leaves agents' wallets by the service's hand, and the files that it stores.

-- Every spend from an agent's wallet is reserved here before it goes out: limits and free balance are counted over these
-- rows, in the order in which each agent's were made.
create table agent_spends (
  id text primary key,
  seq bigint generated always as identity,
  agent_id text not null,
  purpose text not null,
  amount_micro numeric(78, 0) not null check (amount_micro > 0),
  status text not null default 'RESERVED' check (status in ('RESERVED', 'SPENT', 'RELEASED')),
  reserved_at timestamptz not null
);
create index agent_spends_session on agent_spends (agent_id, reserved_at) include (amount_micro) where status <> 'RELEASED';
create index agent_spends_seq on agent_spends (agent_id, seq);
create index agent_spends_reserved on agent_spends (agent_id) include (amount_micro) where status = 'RESERVED';

-- While a withdrawal has no outcome its intent tells how far it is.
create table withdrawals (
  id text primary key references agent_spends (id),
  owner_id text not null references owners (id),
  agent_id text not null,
  to_address text not null,
  amount_micro numeric(78, 0) not null check (amount_micro > 0),
  -- The newest attempt, or the one that settled.
  intent_id text not null references intents (id),
  attempts integer not null default 1,
  outcome text check (outcome in ('CONFIRMED', 'FAILED')),
  failure_reason text,
  created_at timestamptz not null,
  check ((failure_reason is not null) = (outcome is not distinct from 'FAILED'))
);
create index withdrawals_owner on withdrawals (owner_id, created_at desc, id desc);

-- The files that may be downloaded: what the storage holds besides is nobody's business.
create table stored_files (
  cid text primary key,
  size_bytes bigint not null check (size_bytes >= 0),
  stored_at timestamptz not null
);

-- Who uploaded how much of late; older rows are removed as new ones come.
create table file_uploads (
  owner_id text not null references owners (id),
  size_bytes bigint not null,
  uploaded_at timestamptz not null
);
create index file_uploads_owner on file_uploads (owner_id, uploaded_at) include (size_bytes);
