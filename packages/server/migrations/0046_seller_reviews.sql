-- A seller's page lists the reviews of all their agents, newest first.
alter table reviews add column seller_id text references owners (id);
update reviews set seller_id = jobs.seller_id from jobs where jobs.id = reviews.job_id;
alter table reviews alter column seller_id set not null;
create index reviews_seller on reviews (seller_id, created_at desc, id desc);
