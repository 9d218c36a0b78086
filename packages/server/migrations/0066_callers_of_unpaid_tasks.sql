-- Who made a task that is not paid for: an account, or the keyed hash of an address. Each may keep so many.
alter table a2a_tasks add column caller text;
create index a2a_tasks_caller on a2a_tasks (caller) where job_id is null;
