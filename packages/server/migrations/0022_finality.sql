-- What an intent waits for before it goes out: another intent's outcome that is final, or, for large amounts, the block in
-- which its money came in.
alter table intents add column after_intent_id text references intents (id);
alter table intents add column rests_on_block bigint;
create index spend_permissions_owner on spend_permissions (owner_id);
