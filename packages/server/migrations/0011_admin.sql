-- What operators did, and to what. Append only: an entry stands as it was written.
create table audit_log (
  id text primary key,
  seq bigint generated always as identity,
  -- Null: the service itself.
  actor_id text references owners (id),
  action text not null,
  subject_type text not null,
  subject_id text not null,
  -- Before, after, the reason, and the request that it came with.
  details jsonb not null,
  created_at timestamptz not null
);
create index audit_log_seq on audit_log (seq desc);
create index audit_log_actor on audit_log (actor_id, seq desc);
create index audit_log_subject on audit_log (subject_id, seq desc);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append only: % is refused', tg_op using errcode = 'restrict_violation';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();

-- The console lists owners, newest first.
create index owners_created_at on owners (created_at desc, id desc);

-- Large jobs of buyers without verification, to be looked at by a person. A flag blocks nothing.
create table aml_flags (
  id text primary key,
  job_id text not null unique,
  owner_id text not null references owners (id),
  amount_micro bigint not null check (amount_micro > 0),
  note text,
  created_at timestamptz not null,
  resolved_at timestamptz,
  check ((note is null) = (resolved_at is null))
);
create index aml_flags_created_at on aml_flags (created_at desc, id desc);
create index aml_flags_open on aml_flags (created_at desc, id desc) where resolved_at is null;

-- A ruling as the arbiter Safe's owners sign it. SIGNED: enough of them have, and its execution is ordered.
create table ruling_proposals (
  id text primary key,
  job_id text not null,
  escrow_key text not null,
  seller_bps integer not null check (seller_bps between 0 and 10000),
  safe_nonce bigint not null,
  safe_tx_hash text not null,
  threshold integer not null check (threshold > 0),
  status text not null default 'OPEN' check (status in ('OPEN', 'SIGNED', 'EXECUTED', 'FAILED', 'REPLACED')),
  tx_hash text,
  failure_reason text,
  proposed_by text not null references owners (id),
  created_at timestamptz not null
);
-- At most one of a job's proposals can still take effect.
create unique index ruling_proposals_live on ruling_proposals (job_id) where status in ('OPEN', 'SIGNED');
create index ruling_proposals_job on ruling_proposals (job_id, created_at desc, id desc);

create table ruling_confirmations (
  proposal_id text not null references ruling_proposals (id),
  safe_owner text not null,
  signature text not null,
  created_at timestamptz not null,
  primary key (proposal_id, safe_owner)
);
