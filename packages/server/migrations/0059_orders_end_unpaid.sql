-- Orders come with their payment. Nothing else pays for them, so they end when it fails.
alter table jobs add column paid_in_call boolean not null default false;
update jobs set paid_in_call = true from service_orders where service_orders.job_id = jobs.id;
-- Those whose payment has failed already.
update jobs set status = 'CANCELLED', decided_status = 'CANCELLED', ended_at = now()
where paid_in_call and status = 'PENDING' and not exists (
  select 1 from x402_payments p where p.purpose = 'job' and p.reference = jobs.id and p.status <> 'REJECTED');
