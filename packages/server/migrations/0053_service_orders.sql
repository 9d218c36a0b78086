-- Jobs that were ordered and paid for in one call, at the URL of their service.
create table service_orders (
  job_id text primary key references jobs (id),
  owner_id text not null references owners (id),
  -- The wallet that paid, in lower case.
  payer text not null,
  -- Of the service and the whole input: the same payment, or the same identifier, makes no other order.
  fingerprint text not null,
  -- What the payer calls the purchase by (x402's payment-identifier).
  payment_identifier text unique,
  created_at timestamptz not null
);
create index service_orders_owner on service_orders (owner_id);

-- Sign-ins by a signed challenge (x402's sign-in-with-x): each counts once, and is kept until it would have expired.
create table used_sign_ins (
  nonce text primary key,
  expires_at timestamptz not null
);
create index used_sign_ins_expiry on used_sign_ins (expires_at);
