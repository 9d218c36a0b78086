-- Agents that are spoken to by A2A. They are not signed to, and may want a token of their own.
alter table agent_connections drop constraint agent_connections_kind_check;
alter table agent_connections add constraint agent_connections_kind_check check (kind in ('HTTP', 'A2A'));
alter table agent_connections alter column sealed_secret drop not null;
alter table agent_connections add constraint agent_connections_secret_check
  check ((kind = 'HTTP') = (sealed_secret is not null));
alter table agent_connections add column sealed_token text check (sealed_token is null or kind = 'A2A');

-- What an agent makes of a dispatch: its task, written before anything else is done about it.
create table agent_tasks (
  dispatch_id text primary key references agent_dispatches (id) on delete cascade,
  -- The agent's own ids; null once the agent has lost the task.
  task_id text,
  context_id text,
  -- Whether the task is still to be asked for.
  is_live boolean not null,
  -- Tasks that ended without a result. The message after each is a new one; else it is the same message again.
  ended integer not null default 0,
  -- The agent's messages that were passed on.
  seen text[] not null default '{}',
  -- The question that the buyer was asked last, and the last message of the job that is no reply to it.
  asked_id text,
  asked_seq bigint,
  -- Up to which message the buyer's reply goes: fixed before it is sent, so that it is the same when it is sent again.
  reply_seq bigint,
  looks integer not null default 0,
  -- Looks in a row that found nothing new.
  quiet_looks integer not null default 0,
  check (not is_live or task_id is not null)
);

-- A dispatch whose agent works on a task is due for a look at it, as one that waits is due for an attempt.
alter table agent_dispatches drop constraint agent_dispatches_check;
alter table agent_dispatches add constraint agent_dispatches_due_check
  check (case state when 'PENDING' then next_attempt_at is not null when 'WORKING' then true else next_attempt_at is null end);
create index agent_dispatches_looks on agent_dispatches (next_attempt_at)
  where state = 'WORKING' and next_attempt_at is not null;
