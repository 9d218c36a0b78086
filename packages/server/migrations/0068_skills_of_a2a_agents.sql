-- What an agent of kind A2A says that it can do, from its own card: short plain texts, written by each probe.
alter table agent_connections add column skills jsonb not null default '[]'::jsonb;
