-- online
-- A search by words in earnings reads what the jobs of an agent are called, and for whom they are, from the index by agent
-- alone: their rows are wide, and lie among those of all other sellers.
drop index concurrently if exists jobs_words;
create index concurrently jobs_words on jobs (agent_id, created_at desc, id desc)
  include (title, client_id, client_wallet);

-- Whether a payment was refunded is asked of every one, and few were.
drop index concurrently if exists journal_entries_refunds;
create index concurrently journal_entries_refunds on journal_entries (job_id) where kind = 'x402.refund';

-- The same order without what is included. Last, because a run that is interrupted begins again.
drop index concurrently if exists jobs_agent;
