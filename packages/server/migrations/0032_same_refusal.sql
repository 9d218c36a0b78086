-- In which words the last trial was refused: only the same refusal, at a later block, confirms it.
alter table intents add column refusal text;
