-- online
-- A page of spending is found in an index alone, also that of one agent among very many.
drop index concurrently if exists spending_entries_by_time;
create index concurrently spending_entries_by_time on spending_entries (owner_id, at, seq) include (agent_id, entry_id);
-- The same order without what is included. Last, because a run that is interrupted begins again.
drop index concurrently if exists spending_entries_owner;
