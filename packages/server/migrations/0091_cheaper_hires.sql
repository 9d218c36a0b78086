-- Written at every hire, and at most other calls that change something.

-- The owner of a key is the caller, whose session was checked, and owners are never deleted. The reference was checked
-- twice for each key: when it is claimed, and again when its answer is kept in the same transaction.
alter table idempotency_keys drop constraint if exists idempotency_keys_owner_id_fkey;

-- Insertions are counted once for each statement, as updates are: one notifies the sellers of many jobs.
create or replace function keep_notification_counts_of_insert() returns trigger language plpgsql as $$
begin
  update notification_counts kept set listed = kept.listed + added.listed, unread = kept.unread + added.unread
  from (
    select owner_id, count(*) filter (where is_listed and not is_folded) as listed,
      count(*) filter (where read_at is null and not is_folded) as unread
    from inserted group by owner_id
  ) added
  where kept.owner_id = added.owner_id and (added.listed <> 0 or added.unread <> 0);
  return null;
end $$;
create or replace trigger notifications_counted after delete on notifications
  for each row execute function keep_notification_count();
create or replace trigger notifications_counted_insert after insert on notifications
  referencing new table as inserted
  for each statement execute function keep_notification_counts_of_insert();
