-- Which block the last refusal was seen at: one that a fork took away confirms nothing.
alter table intents add column refused_hash text;
