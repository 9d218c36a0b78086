-- Owners sign in with a wallet. Addresses are kept checksummed, as they are shown, and compared without letter case.
create table owners (
  id text primary key,
  wallet_address text not null,
  email text,
  kyc_status text not null default 'PENDING' check (kyc_status in ('PENDING', 'IN_REVIEW', 'VERIFIED', 'REJECTED')),
  kyc_fee_paid boolean not null default false,
  account_status text not null default 'ACTIVE' check (account_status in ('ACTIVE', 'SUSPENDED', 'DEACTIVATED')),
  entity_type text,
  entity_name text,
  legal_address text,
  city text,
  state text,
  postal_code text,
  country text,
  phone_number text,
  ein text,
  created_at timestamptz not null
);
create unique index owners_wallet_address on owners (lower(wallet_address));

-- A nonce belongs to the wallet it was made for; using it deletes it.
create table auth_nonces (
  nonce text primary key,
  wallet_address text not null,
  message text not null,
  expires_at timestamptz not null
);
create index auth_nonces_expires_at on auth_nonces (expires_at);

create table sessions (
  id text primary key,
  owner_id text not null references owners (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_owner_id on sessions (owner_id);
create index sessions_expires_at on sessions (expires_at);

-- Whoever caches a session must hear of it when the session or its owner changes, in every process, when it commits.
create function announce_session_change() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'owners' then
    perform pg_notify('session_changed', new.id);
  else
    perform pg_notify('session_changed', new.owner_id);
  end if;
  return null;
end $$;
create trigger owners_announce after update of kyc_status, kyc_fee_paid, account_status on owners
  for each row when (old.* is distinct from new.*) execute function announce_session_change();
create trigger sessions_announce after update of revoked_at on sessions
  for each row execute function announce_session_change();

-- The answer that a request with an Idempotency-Key was given, kept in the transaction that did its work.
create table idempotency_keys (
  owner_id text not null references owners (id),
  key text not null,
  fingerprint text not null,
  status integer not null,
  answer jsonb,
  created_at timestamptz not null,
  primary key (owner_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);
