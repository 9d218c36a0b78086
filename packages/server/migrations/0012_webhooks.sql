-- Where owners want their events sent. Secrets are kept sealed: whoever reads this table cannot sign with them.
create table webhooks (
  id text primary key,
  owner_id text not null references owners (id),
  url text not null,
  -- Empty: all.
  events text[] not null,
  description text not null,
  is_active boolean not null default true,
  sealed_secret text not null,
  -- The secret before this one signs as well for a while, so that a receiver can change over.
  sealed_old_secret text,
  old_secret_until timestamptz,
  last_delivered_at timestamptz,
  created_at timestamptz not null,
  check ((sealed_old_secret is null) = (old_secret_until is null))
);
create index webhooks_owner on webhooks (owner_id, created_at, id);

-- The outbox and its log in one: a row is written in the transaction of what it tells about, and keeps how it went.
create table webhook_deliveries (
  id text primary key,
  seq bigint generated always as identity,
  webhook_id text not null references webhooks (id) on delete cascade,
  event_id text not null,
  event_type text not null,
  body text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts integer not null default 0,
  response_status integer,
  error text,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  check ((status = 'PENDING') = (next_attempt_at is not null))
);
create index webhook_deliveries_log on webhook_deliveries (webhook_id, seq desc);
create index webhook_deliveries_waiting on webhook_deliveries (next_attempt_at) where status = 'PENDING';
create index webhook_deliveries_created_at on webhook_deliveries (created_at);
