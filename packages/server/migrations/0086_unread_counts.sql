-- How many of them are unread is kept as well: programs that never read their feed have very many. Rows made before this
-- have none until the owner next asks. Updates are counted once for each statement, because one can mark a whole feed.
alter table notification_counts add column unread bigint;

create or replace function keep_notification_count() returns trigger language plpgsql as $$
declare
  listed_change int := coalesce((new.is_listed and not new.is_folded)::int, 0)
    - coalesce((old.is_listed and not old.is_folded)::int, 0);
  unread_change int := coalesce((new.read_at is null and not new.is_folded)::int, 0)
    - coalesce((old.read_at is null and not old.is_folded)::int, 0);
begin
  if listed_change <> 0 or unread_change <> 0 then
    update notification_counts set listed = listed + listed_change, unread = unread + unread_change
    where owner_id = coalesce(new.owner_id, old.owner_id);
  end if;
  return null;
end $$;
create or replace trigger notifications_counted after insert or delete on notifications
  for each row execute function keep_notification_count();

create function keep_notification_counts_of_update() returns trigger language plpgsql as $$
begin
  update notification_counts kept set listed = kept.listed + moved.listed, unread = kept.unread + moved.unread
  from (
    select owner_id, sum(listed) as listed, sum(unread) as unread
    from (
      select owner_id, (is_listed and not is_folded)::int as listed, (read_at is null and not is_folded)::int as unread
      from after_update
      union all
      select owner_id, -(is_listed and not is_folded)::int, -(read_at is null and not is_folded)::int
      from before_update
    ) changes
    group by owner_id
    having sum(listed) <> 0 or sum(unread) <> 0
  ) moved
  where kept.owner_id = moved.owner_id;
  return null;
end $$;
create trigger notifications_recounted after update on notifications
  referencing old table as before_update new table as after_update
  for each statement execute function keep_notification_counts_of_update();
