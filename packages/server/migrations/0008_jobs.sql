-- Jobs. The parties and their wallets are those of the day it was given: the escrow's terms commit to them.
create table jobs (
  id text primary key,
  agent_id text not null references agents (id),
  client_id text not null references owners (id),
  seller_id text not null references owners (id),
  client_wallet text not null,
  seller_wallet text not null,
  agent_wallet text not null,
  title text not null,
  description text not null,
  category text not null,
  attachments text[] not null,
  payment_method text not null check (payment_method in ('X402', 'ESCROW')),
  price_micro bigint not null check (price_micro > 0),
  fee_micro bigint not null check (fee_micro >= 0),
  net_micro bigint not null,
  aml_flagged boolean not null,
  -- Whether it says anything about the agent: never with one's own agent, nor when the seller's side paid.
  counts boolean not null,
  -- As agreed, in whole seconds; `due_at` is when the delivery is due now, which a request for changes may move.
  deadline_at timestamptz,
  created_at timestamptz not null,

  status text not null default 'PENDING'
    check (status in ('PENDING', 'IN_PROGRESS', 'UNDER_REVIEW', 'COMPLETED', 'DISPUTED', 'CANCELLED')),
  -- What was decided last. It stands while the chain has yet to follow; then the chain's own word counts.
  decided_status text not null default 'PENDING'
    check (decided_status in ('PENDING', 'IN_PROGRESS', 'UNDER_REVIEW', 'COMPLETED', 'DISPUTED', 'CANCELLED')),
  decisions integer not null default 0,
  -- The keys of intents whose outcome is open.
  open_intents text[] not null default '{}',
  -- The intent that pays, or paid, the deposit.
  deposit_intent text,
  fund_by timestamptz not null,
  due_at timestamptz,
  review_ends_at timestamptz,
  undecided_at timestamptz,
  change_requests integer not null default 0,
  deadline_told boolean not null default false,
  delivery_cid text,
  ended_at timestamptz,

  -- The key under which the escrow keeps it, and what its events say of it.
  escrow_key text,
  escrow_facts jsonb,
  check (fee_micro + net_micro = price_micro),
  check ((payment_method = 'ESCROW') = (escrow_key is not null)),
  check ((payment_method = 'ESCROW') = (escrow_facts is not null))
);
create unique index jobs_escrow_key on jobs (escrow_key) where escrow_key is not null;
create index jobs_client on jobs (client_id, created_at desc, id desc);
create index jobs_seller on jobs (seller_id, created_at desc, id desc);
create index jobs_agent on jobs (agent_id, created_at desc, id desc);
create index jobs_aml on jobs (created_at desc, id desc) where aml_flagged;
-- What falls due.
create index jobs_funding_due on jobs (fund_by) where status = 'PENDING';
create index jobs_delivery_due on jobs (due_at) where status = 'IN_PROGRESS' and not deadline_told and due_at is not null;
create index jobs_review_due on jobs (review_ends_at) where status = 'UNDER_REVIEW';
create index jobs_dispute_due on jobs (undecided_at) where status = 'DISPUTED';

-- What happened, in its order. Events of the chain carry their place and the facts before them, so that a
-- reorganisation can take them back.
create table job_events (
  id text primary key,
  seq bigint generated always as identity,
  job_id text not null references jobs (id),
  type text not null,
  actor text not null check (actor in ('CLIENT', 'SELLER', 'ARBITER', 'PLATFORM')),
  message text,
  tx_hash text,
  log_index integer,
  facts_before jsonb,
  created_at timestamptz not null
);
create index job_events_job on job_events (job_id, seq);
create unique index job_events_place on job_events (tx_hash, log_index) where log_index is not null;

-- Each delivery stays; the newest one counts.
create table job_deliveries (
  seq bigint generated always as identity primary key,
  job_id text not null references jobs (id),
  cid text not null,
  content text,
  note text,
  delivered_at timestamptz not null
);
create index job_deliveries_job on job_deliveries (job_id, seq desc);

create table job_disputes (
  job_id text primary key references jobs (id),
  opened_by text not null check (opened_by in ('CLIENT', 'SELLER')),
  reason text not null,
  opened_at timestamptz not null,
  -- The standing offer.
  offered_by text check (offered_by in ('CLIENT', 'SELLER')),
  offered_bps integer check (offered_bps between 0 and 10000),
  offered_at timestamptz,
  -- What was decided.
  seller_bps integer check (seller_bps between 0 and 10000),
  check ((offered_by is null) = (offered_bps is null)),
  check ((offered_by is null) = (offered_at is null))
);

create table job_evidence (
  seq bigint generated always as identity primary key,
  job_id text not null references jobs (id),
  given_by text not null check (given_by in ('CLIENT', 'SELLER')),
  reason text not null,
  uris text[] not null,
  created_at timestamptz not null
);
create index job_evidence_job on job_evidence (job_id, seq);

-- One review for each job. It counts only for work of others than the agent's owner.
create table reviews (
  id text primary key,
  job_id text not null unique references jobs (id),
  agent_id text not null references agents (id),
  client_id text not null references owners (id),
  rating integer not null check (rating between 1 and 5),
  comment text,
  reply text,
  replied_at timestamptz,
  counted boolean not null,
  -- Where it stands in the on-chain registry.
  tx_hash text,
  created_at timestamptz not null
);
create index reviews_agent on reviews (agent_id, created_at desc, id desc);
