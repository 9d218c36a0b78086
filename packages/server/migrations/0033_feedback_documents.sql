-- Documents that the reputation registry names by their hash: feedback and replies. They never change.
create table feedback_documents (
  hash text primary key,
  body text not null,
  created_at timestamptz not null default now()
);

-- Which of the operator's feedbacks on the agent it is, counted from 1; null while it is not on chain.
alter table reviews add column feedback_index bigint;
-- How often it was revoked: each time it counts again it is written as a new feedback.
alter table reviews add column feedback_round integer not null default 0;

update reviews set feedback_index = (
  select (args #>> '{feedbackIndex,bigint}')::bigint from chain_events
  where chain_events.tx_hash = reviews.tx_hash and name = 'FeedbackGiven' and is_canonical
  order by log_index limit 1)
where tx_hash is not null;
