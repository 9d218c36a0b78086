-- Whether webhooks carry it. What was written before counts as carried: nearly all of it was.
alter table notifications add column is_event boolean not null default true;
-- The log of events shows where each was sent.
create index webhook_deliveries_event on webhook_deliveries (event_id, seq desc);
