-- online
-- By journal entry, each account of it once: how the audit looks them up, and a payment cannot be counted twice.
drop index concurrently if exists earning_entries_entry;
create unique index concurrently earning_entries_entry on earning_entries (entry_id, account);
