-- Who brought a file. Its owner reads it, and those to whom a job gives it.
create table file_owners (
  cid text not null references stored_files (cid),
  owner_id text not null references owners (id),
  primary key (cid, owner_id)
);
-- Files of before belong to those who named them.
insert into file_owners (cid, owner_id)
select distinct named.cid, named.owner_id from (
  select delivery.cid, job.seller_id as owner_id from job_deliveries delivery join jobs job on job.id = delivery.job_id
  union all
  select replace(uri, 'ipfs://', ''), job.client_id from jobs job cross join lateral unnest(job.attachments) as uri
  union all
  select replace(uri, 'ipfs://', ''), case evidence.given_by when 'CLIENT' then job.client_id else job.seller_id end
  from job_evidence evidence join jobs job on job.id = evidence.job_id cross join lateral unnest(evidence.uris) as uri
) named join stored_files on stored_files.cid = named.cid;
