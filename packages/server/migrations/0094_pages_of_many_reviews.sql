-- online
-- The page of an agent, and a page of its reviews, take the same time however many reviews it has.

-- Those that count are counted with their agent; the others are few.
drop index concurrently if exists reviews_uncounted;
create index concurrently reviews_uncounted on reviews (agent_id) where not counted;

-- The work that an agent's page shows, also where hardly any of many reviews praises it.
drop index concurrently if exists reviews_praised_of_agent;
create index concurrently reviews_praised_of_agent on reviews (agent_id, created_at desc, id desc)
  where rating >= 4 and counted;
