-- online
-- A page of spending on one agent, or to the platform, passes over nothing: what is not spent on jobs has no agent.
drop index concurrently if exists spending_entries_by_agent;
create index concurrently spending_entries_by_agent on spending_entries (owner_id, agent_id, at, seq)
  include (kind, entry_id);
