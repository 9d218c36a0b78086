-- Counts begin under the owner's lock, so whatever changes them takes it: also the release before this one, which marks
-- notifications as read without it and may do so while both run.
create or replace function keep_notification_counts_of_update() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(owner_id, 3))
  from (select distinct owner_id from after_update order by owner_id) changed;
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
