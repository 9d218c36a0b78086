-- online
-- A page of reported payments is read from indexes in its order.
drop index concurrently if exists x402_reports_owner;
create index concurrently x402_reports_owner on x402_reports (owner_id, log_id);
-- The same without the order. Last, because a run that is interrupted begins again.
drop index concurrently if exists x402_reports_by_owner;
