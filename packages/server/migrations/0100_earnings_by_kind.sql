-- online
-- A page of earnings from one source, or of a period by amount, finds what fits by its kind where that is few of many.
drop index concurrently if exists earning_entries_by_kind;
create index concurrently earning_entries_by_kind on earning_entries (account, kind, at, seq)
  include (amount_micro, entry_id, is_reversed);
