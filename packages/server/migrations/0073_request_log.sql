-- Requests that programs of an owner have made. No foreign keys: a log waits for nobody's locks, and outlives what it names.
create table api_requests (
  -- Made when the response has left, so that a batch that is written twice is there once.
  id text primary key,
  -- Orders what left in the same millisecond.
  seq bigint generated always as identity,
  owner_id text not null,
  request_id text not null,
  method text not null,
  -- The path as it is declared: no values, no query.
  path text not null,
  status smallint not null,
  error_code text,
  duration_ms real not null,
  caller_kind text not null check (caller_kind in ('API_KEY', 'APP')),
  caller_id text not null,
  created_at timestamptz not null
);
create index api_requests_owner on api_requests (owner_id, created_at desc, seq desc);
create index api_requests_failed on api_requests (owner_id, created_at desc, seq desc) where status >= 400;
create index api_requests_request on api_requests (owner_id, request_id);
create index api_requests_age on api_requests (created_at);
