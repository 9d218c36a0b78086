-- Files that the parties bring into a job, with their names. The bytes are in the storage, by CID.
create table job_files (
  id text primary key,
  job_id text not null references jobs (id) on delete cascade,
  owner_id text not null references owners (id),
  brought_by text not null check (brought_by in ('CLIENT', 'SELLER')),
  name text not null,
  media_type text not null,
  -- Room that is reserved while the file comes in; afterwards what it has.
  size_bytes bigint not null check (size_bytes >= 0),
  -- Null while the file comes in.
  cid text,
  -- Of the file with the nodes that link its blocks, as folders count it.
  dag_bytes bigint,
  -- Sent with a delivery or a message, and kept from then on.
  is_sent boolean not null default false,
  -- When the bytes were removed, because the time for which files are kept was over.
  removed_at timestamptz,
  created_at timestamptz not null,
  check ((cid is null) = (dag_bytes is null)),
  check (cid is not null or not is_sent)
);
create index job_files_job on job_files (job_id);
create index job_files_owner on job_files (owner_id, created_at) include (size_bytes);
create index job_files_unsent on job_files (created_at) where not is_sent;
create index job_files_cid on job_files (cid) where cid is not null;

alter table job_deliveries
  add column files text[] not null default '{}',
  -- What the client asked to change in this delivery.
  add column change_request text;
alter table job_messages add column files text[] not null default '{}';

-- The words of before: the first request was about the first delivery, the second about the second.
update job_deliveries set change_request = asked.message
from (select seq, row_number() over (partition by job_id order by seq) as place from job_deliveries) version,
  (select job_id, message, row_number() over (partition by job_id order by seq) as place
    from job_events where type = 'CHANGES_REQUESTED') asked
where version.seq = job_deliveries.seq and asked.job_id = job_deliveries.job_id and asked.place = version.place;
