-- What agents say of themselves, as vectors, where a service for that is configured. Otherwise the table stays empty.
create table agent_embeddings (
  agent_id text primary key references agents (id) on delete cascade,
  model text not null,
  -- Of the text that the vector was made from.
  text_hash text not null,
  -- Numbers of four bytes, the lowest byte first, of length 1 together. Null where the service rejects the text.
  vector bytea check (octet_length(vector) between 4 and 16384 and octet_length(vector) % 4 = 0)
);
-- Nothing is gained by compressing such numbers.
alter table agent_embeddings alter column vector set storage external;
