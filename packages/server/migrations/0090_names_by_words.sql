-- online
-- Names that look like a text are found by words that look like its words (`agent_term_counts_alike`) since now.
drop index concurrently if exists agents_name;
