-- A receiver that lets messages fail without a response is left alone for a while.
alter table webhooks
  add column failures_in_row integer not null default 0,
  add column paused_until timestamptz;

-- Tests and redeliveries, which their owner asked for: how many may be asked for in a minute is limited.
alter table webhook_deliveries add column is_ordered boolean not null default false;
create index webhook_deliveries_ordered on webhook_deliveries (webhook_id, created_at) where is_ordered;
