-- online
-- One table after the other, each in a transaction of its own that reads no rows. A partition for each further month is
-- made by the service, ahead of time; what has none goes to the default partition, so that no write is ever rejected.

-- Months that were taken out of their tables and are not archived yet. Null is open.
create table if not exists detached_months (
  name text primary key,
  parent text not null,
  starts_at timestamptz,
  ends_at timestamptz,
  detached_at timestamptz not null default now()
);

do $do$
declare
  bound text := (select substring(pg_get_constraintdef(oid) from '''([^'']+)''') from pg_constraint
    where conname = 'webhook_deliveries_bound');
begin
  if to_regclass('webhook_deliveries_first') is not null then
    return;
  end if;
  lock table webhooks in share row exclusive mode;
  lock table webhook_deliveries in access exclusive mode;
  -- Partitions share a plain sequence; it goes on where the column's own stood.
  create sequence webhook_deliveries_number;
  perform setval('webhook_deliveries_number', nextval(pg_get_serial_sequence('webhook_deliveries', 'seq')));
  alter table webhook_deliveries alter column seq drop identity;
  alter table webhook_deliveries alter column seq set default nextval('webhook_deliveries_number');

  alter table webhook_deliveries rename to webhook_deliveries_first;
  alter index webhook_deliveries_pkey rename to webhook_deliveries_first_pkey;
  alter index webhook_deliveries_log rename to webhook_deliveries_first_log;
  alter index webhook_deliveries_waiting rename to webhook_deliveries_first_waiting;
  alter index webhook_deliveries_ordered rename to webhook_deliveries_first_ordered;
  alter index webhook_deliveries_event rename to webhook_deliveries_first_event;

  create table webhook_deliveries (like webhook_deliveries_first including defaults including constraints)
    partition by range (created_at);
  alter table webhook_deliveries drop constraint webhook_deliveries_bound;
  alter table webhook_deliveries add constraint webhook_deliveries_webhook_id_fkey
    foreign key (webhook_id) references webhooks (id) on delete cascade;
  create unique index webhook_deliveries_key on webhook_deliveries (id, created_at);
  create index webhook_deliveries_log on webhook_deliveries (webhook_id, seq desc);
  create index webhook_deliveries_waiting on webhook_deliveries (next_attempt_at) where status = 'PENDING';
  create index webhook_deliveries_ordered on webhook_deliveries (webhook_id, created_at) where is_ordered;
  create index webhook_deliveries_event on webhook_deliveries (event_id, seq desc);
  alter sequence webhook_deliveries_number owned by webhook_deliveries.seq;

  execute format('alter table webhook_deliveries attach partition webhook_deliveries_first for values from (minvalue) to (%L)', bound);
  alter table webhook_deliveries_first drop constraint webhook_deliveries_bound;
  create table webhook_deliveries_default partition of webhook_deliveries default;
end $do$;

-- The whole has another name: a version of the service from before names the column of its key alone when it inserts, which
-- only the first partition knows. It works on with that one, and what it writes is in both.
do $do$
declare
  bound text := (select substring(pg_get_constraintdef(oid) from '''([^'']+)''') from pg_constraint
    where conname = 'api_requests_bound');
begin
  if to_regclass('request_log') is not null then
    return;
  end if;
  lock table api_requests in access exclusive mode;
  create sequence request_log_number;
  perform setval('request_log_number', nextval(pg_get_serial_sequence('api_requests', 'seq')));
  alter table api_requests alter column seq drop identity;
  alter table api_requests alter column seq set default nextval('request_log_number');

  create table request_log (like api_requests including defaults including constraints) partition by range (created_at);
  alter table request_log drop constraint api_requests_bound;
  create unique index request_log_key on request_log (id, created_at);
  create index request_log_owner on request_log (owner_id, created_at desc, seq desc);
  create index request_log_failed on request_log (owner_id, created_at desc, seq desc) where status >= 400;
  create index request_log_request on request_log (owner_id, request_id);
  create index request_log_age on request_log (created_at);
  alter sequence request_log_number owned by request_log.seq;

  execute format('alter table request_log attach partition api_requests for values from (minvalue) to (%L)', bound);
  alter table api_requests drop constraint api_requests_bound;
  create table request_log_default partition of request_log default;
end $do$;

do $do$
declare
  bound text := (select substring(pg_get_constraintdef(oid) from '''([^'']+)''') from pg_constraint
    where conname = 'agent_views_bound');
begin
  if to_regclass('agent_views_first') is not null then
    return;
  end if;
  lock table agent_views in access exclusive mode;
  alter table agent_views rename to agent_views_first;
  alter index agent_views_pkey rename to agent_views_first_pkey;
  alter index agent_views_age rename to agent_views_first_age;

  create table agent_views (like agent_views_first including defaults including constraints, primary key (agent_id, day))
    partition by range (day);
  alter table agent_views drop constraint agent_views_bound;

  execute format('alter table agent_views attach partition agent_views_first for values from (minvalue) to (%L)', bound);
  alter table agent_views_first drop constraint agent_views_bound;
  create table agent_views_default partition of agent_views default;
end $do$;
