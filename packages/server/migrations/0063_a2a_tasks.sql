-- Tasks of A2A callers. What becomes of one that is paid for is said by its job; the rest is what the job cannot say.
create table a2a_tasks (
  id text primary key,
  context_id text not null,
  -- In lower case.
  agent_wallet text not null,
  -- Who sent the first message; null for callers without an account.
  owner_id text references owners (id),
  message_id text not null,
  service_id text,
  text text not null,
  input json,
  job_id text references jobs (id),
  -- Withdrawn before it was paid for.
  ended_at timestamptz,
  created_at timestamptz not null,
  -- One that is not paid for is forgotten then.
  expires_at timestamptz not null
);
create unique index a2a_tasks_message on a2a_tasks (owner_id, agent_wallet, message_id) where owner_id is not null;
create index a2a_tasks_owner on a2a_tasks (owner_id, created_at desc, id desc) where owner_id is not null;
create index a2a_tasks_job on a2a_tasks (job_id) where job_id is not null;
create index a2a_tasks_unpaid on a2a_tasks (expires_at) where job_id is null;

-- Messages to a job that were taken: one that is sent again is not written twice.
create table a2a_messages (
  task_id text not null,
  message_id text not null,
  primary key (task_id, message_id)
);
