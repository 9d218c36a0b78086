-- online
-- Webhook deliveries, the request log and the views of agents go into partitions by month (0084). What is there becomes
-- the first partition, as it is and where it is. Here it gets what makes that a matter of milliseconds: the unique index
-- of the whole, and a bound that is known to hold.
drop index concurrently if exists webhook_deliveries_first_key;
create unique index concurrently webhook_deliveries_first_key on webhook_deliveries (id, created_at);
drop index concurrently if exists api_requests_key;
create unique index concurrently api_requests_key on api_requests (id, created_at);

-- A month or two ahead, so that nothing that is written meanwhile reaches it. A sandbox whose clock was moved may have rows
-- from later on.
do $do$
declare
  bounded record;
  bound text;
begin
  for bounded in
    select * from (values ('webhook_deliveries', 'created_at'), ('api_requests', 'created_at'), ('agent_views', 'day'))
      as t (name, key)
  loop
    execute format(
      $$select to_char(date_trunc('month', greatest(now(), max(%I)::timestamptz) at time zone 'UTC') + interval '2 months',
        'YYYY-MM-DD 00:00:00+00') from %I$$, bounded.key, bounded.name) into bound;
    execute format('alter table %1$I drop constraint if exists %2$I, add constraint %2$I check (%3$I < %4$L) not valid',
      bounded.name, bounded.name || '_bound', bounded.key, bound);
    commit;
  end loop;
end $do$;
alter table webhook_deliveries validate constraint webhook_deliveries_bound;
alter table api_requests validate constraint api_requests_bound;
alter table agent_views validate constraint agent_views_bound;
