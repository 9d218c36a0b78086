-- Files that a client uploads before a hire. They wait without a job until one takes them.
alter table job_files
  alter column job_id drop not null,
  -- Its place among the files of the hire; null where it was brought later.
  add column hire_place smallint,
  add check (job_id is not null or (not is_sent and brought_by = 'CLIENT')),
  add check (hire_place is null or is_sent);
create index job_files_handed_in on job_files (job_id) where hire_place is not null and removed_at is null;
