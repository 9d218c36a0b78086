-- A trial that the node refused counts only when a later block confirms it: nodes lag, and some are wrong once.
alter table intents add column refusals integer not null default 0;
alter table intents add column refused_block bigint;

-- How often, at different blocks and without a word to the contrary, a nonce was passed and none of our hashes was found.
alter table chain_transactions add column missing_looks integer not null default 0;
alter table chain_transactions add column missing_block bigint;

-- A count that the chain claims to be at, beyond our own. It is believed when several blocks say so.
alter table chain_signers add column claimed_nonce bigint;
alter table chain_signers add column claimed_block bigint;
alter table chain_signers add column claimed_looks integer not null default 0;

-- Jobs that the chain closed and that the books never saw funded. They wait here until what is missing is found.
create table set_aside_jobs (
  chain_id bigint not null,
  key text not null,
  closed_block bigint not null,
  -- From here downwards the chain has yet to be searched.
  searched_to bigint not null,
  since timestamptz not null default now(),
  primary key (chain_id, key)
);

-- Orders to compare the books with the chain again, and what came of them.
create table chain_rereads (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  from_block bigint not null,
  to_block bigint,
  next_block bigint not null,
  events_found integer not null default 0,
  events_added integer not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create unique index chain_rereads_open on chain_rereads (chain_id) where finished_at is null;
