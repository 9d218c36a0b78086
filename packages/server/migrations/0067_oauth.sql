-- What an owner allows a client to do by OAuth. Its budget has its id.
create table oauth_grants (
  id text primary key references budgets (id),
  owner_id text not null references owners (id),
  client_id text not null,
  client_name text not null,
  -- Where the client sends the person back to: a host, or the scheme of an app.
  client_host text not null,
  -- The resource that its tokens are for.
  resource text not null,
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['read', 'hire', 'sell']),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index oauth_grants_owner on oauth_grants (owner_id, created_at desc) where revoked_at is null;
create trigger oauth_grants_announce after update of revoked_at on oauth_grants
  for each row execute function announce_session_change();

-- What the protocol remembers: clients that registered themselves, requests that wait for consent, codes and tokens.
-- They are found by a hash of their value, which is kept nowhere.
create table oauth_records (
  model text not null,
  id_hash bytea not null,
  -- Codes and tokens belong to a grant, and go with it.
  grant_id text references oauth_grants (id),
  payload json not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- A code or refresh token that was used. It is kept to notice a second use.
  consumed_at timestamptz,
  primary key (model, id_hash)
);
create index oauth_records_expiry on oauth_records (expires_at);
create index oauth_records_model on oauth_records (model, expires_at);
create index oauth_records_grant on oauth_records (grant_id, model, created_at desc) where grant_id is not null;
