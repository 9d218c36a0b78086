-- online
-- Files that nobody needs any more come from an index, however many there are.

alter table job_files
  add column if not exists job_ended_at timestamptz,
  -- When a hire that named it ended without a payment.
  add column if not exists unpaid_since timestamptz;

create or replace function follow_end_of_job() returns trigger language plpgsql as $$
begin
  update job_files set job_ended_at = new.ended_at,
    unpaid_since = case when hire_place is not null and new.status = 'CANCELLED' and new.paid_at is null
      and (new.escrow_facts is null or new.escrow_facts ->> 'state' = 'UNFUNDED') then new.ended_at end
  where job_id = new.id;
  return null;
end $$;
create or replace trigger jobs_files_end after update of ended_at, status, paid_at, escrow_facts on jobs for each row
  when (new.ended_at is distinct from old.ended_at or (new.ended_at is not null
    and (new.status, new.paid_at, new.escrow_facts) is distinct from (old.status, old.paid_at, old.escrow_facts)))
  execute function follow_end_of_job();
-- A file can be sent after the end. A job that ends in this moment waits for this row, and notes its end here then.
create or replace function note_end_of_job() returns trigger language plpgsql as $$
begin
  new.job_ended_at := coalesce(new.job_ended_at, (select ended_at from jobs where id = new.job_id));
  return new;
end $$;
create or replace trigger job_files_sent before update of is_sent on job_files for each row
  when (new.is_sent and not old.is_sent) execute function note_end_of_job();

drop index concurrently if exists job_files_outdated;
create index concurrently job_files_outdated on job_files (job_ended_at)
  where job_ended_at is not null and is_sent and removed_at is null;
drop index concurrently if exists job_files_unpaid;
create index concurrently job_files_unpaid on job_files (unpaid_since)
  where unpaid_since is not null and removed_at is null;

-- What ended before.
do $$
declare
  done text := '';
  upto text;
begin
  loop
    select max(id) into upto from (select id from job_files where id > done order by id limit 10000) next;
    exit when upto is null;
    update job_files known set job_ended_at = jobs.ended_at,
      unpaid_since = case when known.hire_place is not null and jobs.status = 'CANCELLED' and jobs.paid_at is null
        and (jobs.escrow_facts is null or jobs.escrow_facts ->> 'state' = 'UNFUNDED') then jobs.ended_at end
    from jobs
    where known.id > done and known.id <= upto and jobs.id = known.job_id and jobs.ended_at is not null
      and known.job_ended_at is null;
    done := upto;
    commit;
  end loop;
end $$;

-- It found what the second new one finds.
drop index concurrently if exists job_files_handed_in;
