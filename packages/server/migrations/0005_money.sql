-- The money engine. An intent is a decision to move money; a transaction is how it goes to the chain; events are what the
-- chain tells; the journal is what it all means in micro-USDC.

create sequence intents_seq;
create sequence intents_claim_token;
create table intents (
  id text primary key,
  seq bigint not null default nextval('intents_seq'),
  kind text not null,
  key text not null,
  payload jsonb not null,
  sender text not null check (sender in ('operator', 'spender')),
  lane text,
  finality text not null check (finality in ('confirmed', 'safe', 'finalized')),
  status text not null default 'PENDING' check (status in ('PENDING', 'SUBMITTED', 'SETTLED', 'REJECTED')),
  reason text,
  request_id text,
  created_at timestamptz not null default now(),
  -- A claim ends by itself. Whoever acts on one shows its token, which a later claim has replaced.
  claim_token bigint,
  claimed_until timestamptz,
  attempts integer not null default 0,
  -- Where the outcome stands on the chain; null while there is none, and when it was rejected before it was sent.
  tx_hash text,
  block_number bigint,
  block_hash text,
  is_final boolean not null default false,
  constraint intents_key unique (key)
);
alter sequence intents_seq owned by intents.seq;
create index intents_pending on intents (sender, seq) where status = 'PENDING';
create index intents_lane on intents (lane, seq) where lane is not null and status in ('PENDING', 'SUBMITTED');
create index intents_block on intents (block_number) where block_number is not null;
create index intents_not_final on intents (block_number) where block_number is not null and not is_final;
create index intents_open on intents (created_at) where status in ('PENDING', 'SUBMITTED');
create index intents_request on intents (request_id) where request_id is not null;

-- Workers hear of new intents (an empty message), and those who wait hear of outcomes (its id), when they commit.
create function announce_intent() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform pg_notify('intent_changed', '');
  else
    perform pg_notify('intent_changed', new.id);
  end if;
  return null;
end $$;
create trigger intents_created after insert on intents for each row execute function announce_intent();
create trigger intents_ended after update of status on intents for each row
  when (new.status in ('SETTLED', 'REJECTED') and old.status is distinct from new.status)
  execute function announce_intent();

-- The next nonce of each account that the service sends from. Its row is the lock under which nonces are given out.
create table chain_signers (
  chain_id bigint not null,
  address text not null,
  next_nonce bigint not null,
  primary key (chain_id, address)
);

-- One row per nonce, written before anything is broadcast. VOID: the key was used elsewhere for this nonce.
create table chain_transactions (
  chain_id bigint not null,
  sender text not null,
  nonce bigint not null,
  intent_id text not null references intents (id),
  -- The newest signed bytes, which are sent again as they are.
  tx_hash text not null,
  raw_transaction text not null,
  gas bigint not null,
  max_fee numeric(78, 0) not null,
  priority_fee numeric(78, 0) not null,
  call_to text not null,
  call_data text not null,
  is_noop boolean not null default false,
  status text not null default 'OPEN' check (status in ('OPEN', 'MINED', 'VOID')),
  replacements integer not null default 0,
  created_at timestamptz not null default now(),
  -- Since when the newest bytes are out, and when to look after them if no outcome is known by then.
  first_sent_at timestamptz,
  due_at timestamptz not null,
  -- Since when the chain is past this nonce and none of our hashes is found.
  missing_since timestamptz,
  primary key (chain_id, sender, nonce)
);
create unique index chain_transactions_intent on chain_transactions (intent_id) where status <> 'VOID';
create index chain_transactions_open on chain_transactions (chain_id, sender, nonce) where status = 'OPEN';

-- Every hash that was ever signed for a nonce: any of them may be the one that is mined.
create table chain_transaction_hashes (
  chain_id bigint not null,
  hash text not null,
  sender text not null,
  nonce bigint not null,
  intent_id text not null references intents (id),
  is_noop boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (chain_id, hash),
  foreign key (chain_id, sender, nonce) references chain_transactions (chain_id, sender, nonce)
);
create index chain_transaction_hashes_nonce on chain_transaction_hashes (chain_id, sender, nonce);

-- The blocks that matter: those with our events or outcomes, and the last one of each range that was read.
create table chain_blocks (
  chain_id bigint not null,
  number bigint not null,
  hash text not null,
  parent_hash text not null,
  time timestamptz not null,
  primary key (chain_id, number)
);

-- An event whose block was replaced stays, marked; if its transaction is mined again it counts again.
create table chain_events (
  chain_id bigint not null,
  tx_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  block_hash text not null,
  block_time timestamptz not null,
  name text not null,
  -- The job key, the permission hash or the account that it is about.
  subject text,
  -- Big numbers travel as {"bigint": "…"}.
  args jsonb not null,
  is_canonical boolean not null default true,
  stored_at timestamptz not null default now(),
  primary key (chain_id, tx_hash, log_index)
);
create index chain_events_block on chain_events (chain_id, block_number, log_index) where is_canonical;
create index chain_events_subject on chain_events (subject, name) where is_canonical;

-- How far the chain was read. While `halted_reason` is set nothing is sent: the chain forked deeper than we may guess about.
create table chain_cursors (
  chain_id bigint primary key,
  block_number bigint not null,
  block_hash text not null,
  safe_number bigint not null default 0,
  finalized_number bigint not null default 0,
  halted_reason text,
  updated_at timestamptz not null default now()
);

-- The journal: append only, double entry, every entry sums to zero.
create table journal_entries (
  id text primary key,
  seq bigint generated always as identity,
  kind text not null,
  at timestamptz not null,
  intent_id text references intents (id),
  request_id text,
  chain_id bigint,
  tx_hash text,
  log_index integer,
  block_number bigint,
  block_hash text,
  -- Counts how often this fact was taken back before: the first posting is 0.
  generation integer not null default 0,
  reverses text references journal_entries (id),
  reason text,
  job_id text,
  agent_id text,
  owner_id text,
  subscription_id text,
  created_at timestamptz not null default now(),
  check ((tx_hash is null) = (block_number is null)),
  check ((tx_hash is null) = (block_hash is null))
);
create unique index journal_entries_place on journal_entries (chain_id, tx_hash, log_index, kind, generation)
  where reverses is null and log_index is not null;
create unique index journal_entries_reverses on journal_entries (reverses) where reverses is not null;
create index journal_entries_block on journal_entries (chain_id, block_number);
create index journal_entries_intent on journal_entries (intent_id);
create index journal_entries_tx on journal_entries (tx_hash);
create index journal_entries_request on journal_entries (request_id) where request_id is not null;
create index journal_entries_job on journal_entries (job_id) where job_id is not null;
create index journal_entries_agent on journal_entries (agent_id, at) where agent_id is not null;
create index journal_entries_owner on journal_entries (owner_id, at) where owner_id is not null;
create index journal_entries_subscription on journal_entries (subscription_id) where subscription_id is not null;

create table journal_postings (
  entry_id text not null references journal_entries (id),
  account text not null,
  amount_micro numeric(78, 0) not null check (amount_micro <> 0),
  primary key (entry_id, account)
);
create index journal_postings_account on journal_postings (account) include (amount_micro);

create function refuse_journal_change() returns trigger language plpgsql as $$
begin
  raise exception 'the journal is append only: % on % is refused', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger journal_entries_append_only before update or delete or truncate on journal_entries
  for each statement execute function refuse_journal_change();
create trigger journal_postings_append_only before update or delete or truncate on journal_postings
  for each statement execute function refuse_journal_change();

-- Checked at commit, for the entry of every posting and for entries without any.
create function check_journal_entry() returns trigger language plpgsql as $$
declare
  checked_id text := case when tg_table_name = 'journal_entries' then to_jsonb(new)->>'id' else to_jsonb(new)->>'entry_id' end;
  total numeric;
  postings integer;
begin
  select sum(amount_micro), count(*) into total, postings from journal_postings where entry_id = checked_id;
  if postings < 2 or total <> 0 then
    raise exception 'journal entry % does not balance: % postings, sum %', checked_id, postings, total
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger journal_entries_balance after insert on journal_entries
  deferrable initially deferred for each row execute function check_journal_entry();
create constraint trigger journal_postings_balance after insert on journal_postings
  deferrable initially deferred for each row execute function check_journal_entry();
