-- The audit compares earning entries with the journal, entry by entry. Those that a posting makes are noted with it.
create function note_earning_entries() returns trigger language plpgsql as $$
begin
  insert into audit_changes (kind, key) select distinct 'entry', entry_id from changed;
  return null;
end $$;
create trigger earning_entries_noted_insert after insert on earning_entries referencing new table as changed
  for each statement when (pg_trigger_depth() = 0) execute function note_earning_entries();
create trigger earning_entries_noted_update after update on earning_entries referencing new table as changed
  for each statement execute function note_earning_entries();
create trigger earning_entries_noted_delete after delete on earning_entries referencing old table as changed
  for each statement execute function note_earning_entries();
