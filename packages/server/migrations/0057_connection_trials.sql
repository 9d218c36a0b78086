-- Test jobs of connected agents, while the agent may report: what has come by the callback. None of it is a job, and a row
-- goes when its time is over. The token is kept as its hash.
create table connection_trials (
  job_id text primary key,
  agent_id text not null references agents (id) on delete cascade,
  token_hash text not null unique,
  output_schema jsonb,
  progress jsonb not null default '[]',
  messages jsonb not null default '[]',
  files jsonb not null default '[]',
  -- For files that still come.
  room_bytes bigint not null,
  -- What was delivered.
  work jsonb,
  -- Why the last delivery was not accepted.
  rejection text,
  expires_at timestamptz not null
);
create index connection_trials_expiry on connection_trials (expires_at);
