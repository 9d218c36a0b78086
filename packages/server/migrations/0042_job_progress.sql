-- What an agent reports while it works. Bounded in number by the service; its own order, as written.
create table job_progress (
  id text primary key,
  seq bigint generated always as identity,
  job_id text not null references jobs (id),
  step text not null,
  percent smallint check (percent between 0 and 100),
  note text,
  created_at timestamptz not null
);
create index job_progress_job on job_progress (job_id, seq);

-- A notification that is not listed is only streamed: it is in no feed and no count.
alter table notifications add column is_listed boolean not null default true;
