-- Subscriptions, paid by pulls through spend permissions that the subscriber signed.

-- FAILED: the first pull was refused, so that there never was a subscription.
create table subscriptions (
  id text primary key,
  owner_id text not null references owners (id),
  plan text not null check (plan in ('AGENT_QUOTA', 'PREMIUM_LISTING', 'API_ACCESS', 'ENTERPRISE')),
  status text not null check (status in ('TRIALING', 'ACTIVE', 'PAST_DUE', 'CANCELED', 'FAILED')),
  -- The permission that pulls go through, and what it pays for. They follow the newest pull that settled.
  permission_hash text not null,
  agent_quota integer check (agent_quota > 0),
  price_micro numeric(78, 0) not null check (price_micro > 0),
  -- Paid until then; null before the first pull.
  current_period_end timestamptz,
  last_pull_at timestamptz,
  -- When the next pull may run; null when there will be none.
  next_pull_at timestamptz,
  past_due_since timestamptz,
  -- When the access of a canceled subscription was taken away.
  access_ended_at timestamptz,
  created_at timestamptz not null,
  check ((plan = 'AGENT_QUOTA') = (agent_quota is not null)),
  check ((status = 'PAST_DUE') = (past_due_since is not null))
);
create unique index subscriptions_live on subscriptions (owner_id, plan)
  where status in ('TRIALING', 'ACTIVE', 'PAST_DUE');
create index subscriptions_owner on subscriptions (owner_id, created_at desc);
-- What the worker looks for every few seconds: pulls that are due, patience that is over, permissions that ran out.
create index subscriptions_due on subscriptions (next_pull_at) where status in ('TRIALING', 'ACTIVE', 'PAST_DUE');
create index subscriptions_past_due on subscriptions (past_due_since) where past_due_since is not null;
create index subscriptions_expiring on subscriptions (current_period_end)
  where status in ('TRIALING', 'ACTIVE', 'PAST_DUE') and next_pull_at is null;
create index subscriptions_ending on subscriptions (current_period_end)
  where status = 'CANCELED' and access_ended_at is null;

-- Every permission that was ever accepted. Its hash belongs to one subscription of one owner, for ever.
create table spend_permissions (
  hash text primary key,
  subscription_id text not null references subscriptions (id),
  owner_id text not null references owners (id),
  -- The permission as it was signed; big numbers are decimal strings.
  permission jsonb not null,
  signature text not null,
  agent_quota integer,
  price_micro numeric(78, 0) not null check (price_micro > 0),
  revoked_at timestamptz,
  created_at timestamptz not null
);
create index spend_permissions_subscription on spend_permissions (subscription_id);
alter table subscriptions add constraint subscriptions_permission
  foreign key (permission_hash) references spend_permissions (hash) deferrable initially deferred;

-- One row per attempt to pull. A period is paid once: neither two workers nor two attempts can stand in it together.
create table subscription_pulls (
  id text primary key,
  subscription_id text not null references subscriptions (id),
  permission_hash text not null references spend_permissions (hash),
  kind text not null check (kind in ('FIRST', 'RENEWAL', 'UPGRADE')),
  -- In Unix seconds, as the chain counts. The settlement says which period it was in the end.
  period_start bigint not null,
  period_end bigint not null,
  amount_micro numeric(78, 0) not null check (amount_micro > 0),
  status text not null default 'PENDING' check (status in ('PENDING', 'SETTLED', 'FAILED')),
  reason text,
  intent_id text not null references intents (id),
  settled_at timestamptz,
  created_at timestamptz not null,
  check ((status = 'SETTLED') = (settled_at is not null))
);
create unique index subscription_pulls_period on subscription_pulls (subscription_id, period_start)
  where kind <> 'UPGRADE' and status <> 'FAILED';
create unique index subscription_pulls_pending on subscription_pulls (subscription_id) where status = 'PENDING';
create index subscription_pulls_subscription on subscription_pulls (subscription_id, created_at);
create index subscription_pulls_permission on subscription_pulls (permission_hash);

-- Keys of owners with API access. Only a hash is kept: whoever reads this table cannot call in anyone's name.
create table api_keys (
  id text primary key,
  owner_id text not null references owners (id),
  name text not null,
  prefix text not null,
  key_hash bytea not null unique,
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['read', 'write']),
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_owner on api_keys (owner_id, created_at desc) where revoked_at is null;
