-- What the two parties of a job write to each other. Nothing here is ever changed or deleted.
create table job_messages (
  id text primary key,
  seq bigint generated always as identity,
  job_id text not null references jobs (id),
  sender_id text not null references owners (id),
  sent_by text not null check (sent_by in ('CLIENT', 'SELLER')),
  text text not null,
  attachments text[] not null,
  created_at timestamptz not null
);
create index job_messages_job on job_messages (job_id, seq);
-- Whether a file is shared by a message.
create index job_messages_attachments on job_messages using gin (attachments);
