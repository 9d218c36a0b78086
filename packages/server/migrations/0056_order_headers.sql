-- A settled authorization can be read on chain by anyone. Whoever sends the very header that paid has more than that.
alter table service_orders add column header_digest text;
