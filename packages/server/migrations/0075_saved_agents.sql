-- Agents that owners want to find again. Only the owner sees the list.
create table saved_agents (
  owner_id text not null references owners (id),
  agent_id text not null references agents (id),
  saved_at timestamptz not null,
  primary key (owner_id, agent_id)
);
-- The list, those saved last first.
create index saved_agents_newest on saved_agents (owner_id, saved_at desc, agent_id);
