-- The applicant that stands for an owner at the verification provider, and the newest word the provider sent about it.
create table kyc_sessions (
  owner_id text primary key references owners (id),
  session_id text not null unique,
  url text not null,
  url_expires_at timestamptz not null,
  started_at timestamptz not null,
  last_event_at timestamptz,
  last_outcome text check (last_outcome in ('IN_REVIEW', 'RETRY', 'VERIFIED', 'REJECTED')),
  check ((last_event_at is null) = (last_outcome is null))
);

-- Every message of the provider about a known applicant, kept once however often it arrives.
create table kyc_events (
  event_id text primary key,
  owner_id text not null references owners (id),
  session_id text not null,
  outcome text check (outcome in ('IN_REVIEW', 'RETRY', 'VERIFIED', 'REJECTED')),
  reason text,
  created_at timestamptz not null,
  received_at timestamptz not null
);
create index kyc_events_owner_id on kyc_events (owner_id, created_at);
