-- How often pages of an agent were opened, by day in UTC. Nothing about visitors: a row is a sum. No foreign key: counting
-- waits for nobody's locks; only agents that exist are written.
create table agent_views (
  agent_id text not null,
  day date not null,
  profile_views integer not null,
  hire_forms integer not null,
  primary key (agent_id, day)
);
create index agent_views_age on agent_views (day);
