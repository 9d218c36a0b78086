-- Counted at every hire.
create index jobs_unpaid on jobs (client_id, seller_id) where status = 'PENDING';

-- The queue holds jobs with money in them: a flag is raised when the deposit arrives.
delete from aml_flags using jobs
where jobs.id = aml_flags.job_id and aml_flags.resolved_at is null and jobs.escrow_facts ->> 'state' = 'UNFUNDED';

-- Many unread notices of one key are shown as a few; the newest one says how many more there are.
alter table notifications
  add column fold_key text,
  add column repeats integer not null default 0,
  add column is_folded boolean not null default false;
create index notifications_fold on notifications (owner_id, fold_key, seq)
  where fold_key is not null and read_at is null and not is_folded;
