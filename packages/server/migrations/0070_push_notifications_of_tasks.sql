-- A direct receiver is told about one thing by the feature that added it, with headers that the receiver knows it by: they
-- are sealed in the place of the secret. It is in no list of an owner's webhooks and gets no events.
alter table webhooks add column is_direct boolean not null default false;

-- Where callers of A2A want to be notified of a task.
create table a2a_push_configs (
  receiver_id text primary key references webhooks (id) on delete cascade,
  task_id text not null,
  owner_id text not null references owners (id),
  -- Its id, as its caller gave it.
  name text not null,
  -- Of the Authorization header, without its credentials.
  scheme text not null,
  -- The version of A2A in which notifications are written.
  wire_version text not null,
  -- The session of the API key that set it up: what a key has set up ends with it. Null for a wallet's own session.
  key_session text,
  -- The state that was sent last; null before the first.
  seen text,
  created_at timestamptz not null,
  unique (task_id, owner_id, name)
);
create index a2a_push_configs_owner on a2a_push_configs (owner_id);
