-- online
-- The same keys as `agents_words`, of better-rated agents alone. Two frequent words have long lists there, which grow with
-- the market; those of the agents that are rated high enough to be on a page do not.
drop index concurrently if exists agents_words_from_2;
create index concurrently agents_words_from_2 on agents
  using gin (search, skill_keys, (array[category_key]), (array[x402_enabled]), rating_marks(average_rating),
    score_marks(score))
  with (gin_pending_list_limit = 512) where listed and score >= 2;
drop index concurrently if exists agents_words_from_2_8;
create index concurrently agents_words_from_2_8 on agents
  using gin (search, skill_keys, (array[category_key]), (array[x402_enabled]), rating_marks(average_rating),
    score_marks(score))
  with (gin_pending_list_limit = 512) where listed and score >= 2.8;
drop index concurrently if exists agents_words_from_3_6;
create index concurrently agents_words_from_3_6 on agents
  using gin (search, skill_keys, (array[category_key]), (array[x402_enabled]), rating_marks(average_rating),
    score_marks(score))
  with (gin_pending_list_limit = 512) where listed and score >= 3.6;
