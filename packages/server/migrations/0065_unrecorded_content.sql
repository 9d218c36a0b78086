-- What is about to be kept outside a job: if the process dies before it is recorded, or let go again, the bytes are found by it.
create table expected_content (
  id text primary key,
  cid text not null,
  expected_at timestamptz not null
);
create index expected_content_expected_at on expected_content (expected_at);
