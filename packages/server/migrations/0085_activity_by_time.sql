-- online
-- The admins' figures by day read the days that are shown, and not all of history to find them.
drop index concurrently if exists job_events_funded;
create index concurrently job_events_funded on job_events (created_at) where type = 'JOB_FUNDED';
drop index concurrently if exists journal_entries_jobs_at;
create index concurrently journal_entries_jobs_at on journal_entries (at) where job_id is not null;
