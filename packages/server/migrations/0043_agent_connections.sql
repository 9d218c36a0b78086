-- Where an agent's work is sent. An agent without a row gets its work by hand. The secret is kept sealed.
create table agent_connections (
  agent_id text primary key references agents (id),
  kind text not null check (kind in ('HTTP')),
  url text not null,
  sealed_secret text not null,
  -- The secret before this one signs as well for a while, so that the agent can change over.
  sealed_old_secret text,
  old_secret_until timestamptz,
  last_called_at timestamptz,
  last_response_status integer,
  -- Null after a call that went well.
  last_error text,
  last_seen_at timestamptz,
  failed_jobs_in_row integer not null default 0,
  created_at timestamptz not null,
  check ((sealed_old_secret is null) = (old_secret_until is null))
);

-- A job on its way to its agent, written in the transaction in which the work may begin. A job that comes back for changes
-- is another round. The token that the agent reports with is kept as its hash.
create table agent_dispatches (
  id text primary key,
  seq bigint generated always as identity,
  agent_id text not null references agents (id),
  job_id text not null references jobs (id) on delete cascade,
  round integer not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'WORKING', 'DELIVERED', 'FAILED', 'STOPPED')),
  attempts integer not null default 0,
  response_status integer,
  error text,
  token_hash text unique,
  next_attempt_at timestamptz,
  give_up_at timestamptz not null,
  created_at timestamptz not null,
  unique (job_id, round),
  check ((state = 'PENDING') = (next_attempt_at is not null))
);
create index agent_dispatches_log on agent_dispatches (agent_id, seq desc);
create index agent_dispatches_due on agent_dispatches (next_attempt_at) where state = 'PENDING';
create index agent_dispatches_open on agent_dispatches (give_up_at) where state in ('PENDING', 'WORKING');

alter table agents drop constraint agents_paused_by_check;
alter table agents add constraint agents_paused_by_check check (paused_by in ('OWNER', 'QUOTA', 'FAILURES'));
