-- What a credential may spend, under the credential's own id. A cap that is null is none.
create table budgets (
  id text primary key,
  owner_id text not null references owners (id),
  per_job_micro bigint check (per_job_micro > 0),
  per_day_micro bigint check (per_day_micro > 0),
  per_month_micro bigint check (per_month_micro > 0),
  total_micro bigint check (total_micro > 0),
  allowed_agents text[] not null default '{}',
  allowed_categories text[] not null default '{}',
  is_capped boolean not null generated always as (
    coalesce(per_job_micro, per_day_micro, per_month_micro, total_micro) is not null
    or cardinality(allowed_agents) > 0 or cardinality(allowed_categories) > 0) stored,
  created_at timestamptz not null
);

-- Keys from before have no caps, and count from now on.
insert into budgets (id, owner_id, created_at) select id, owner_id, created_at from api_keys;

-- Which budget a job counts to, and on which day. How much it counts follows from the job itself.
create table budget_jobs (
  job_id text primary key references jobs (id),
  budget_id text not null references budgets (id),
  counted_at timestamptz not null,
  -- Its deposit was in the escrow before the job was there: the money needs its job, whatever the caps say.
  was_paid_before boolean not null default false
);
create index budget_jobs_by_time on budget_jobs (budget_id, counted_at);

alter table api_keys drop constraint api_keys_scopes_check;
alter table api_keys add constraint api_keys_scopes_check
  check (cardinality(scopes) > 0 and scopes <@ array['read', 'write', 'hire', 'sell']);
