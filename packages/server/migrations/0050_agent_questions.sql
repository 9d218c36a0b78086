-- What owners ask about an agent before they hire it, and the one reply of its seller.
create table agent_questions (
  id text primary key,
  seq bigint generated always as identity,
  agent_id text not null references agents (id),
  asker_id text not null references owners (id),
  text text not null,
  created_at timestamptz not null,
  reply text,
  replied_at timestamptz,
  -- By an admin: nobody sees it from then on.
  hidden_at timestamptz,
  check ((reply is null) = (replied_at is null))
);
-- What the seller and the asker see, newest first.
create index agent_questions_agent on agent_questions (agent_id, seq desc) where hidden_at is null;
-- The same for everybody else, however many are open.
create index agent_questions_replied on agent_questions (agent_id, seq desc)
  where replied_at is not null and hidden_at is null;
-- One at a time for each asker and agent.
create unique index agent_questions_open on agent_questions (agent_id, asker_id)
  where replied_at is null and hidden_at is null;
-- How many an owner has asked lately.
create index agent_questions_asker on agent_questions (asker_id, created_at);
