-- How many notifications each owner's feed has, so that a page of it does not count them all. A row is made when an owner
-- first asks; the owner's lock, which every insert holds, is held then too.
create table notification_counts (
  owner_id text primary key references owners (id),
  listed bigint not null
);
create function keep_notification_count() returns trigger language plpgsql as $$
declare
  change int := coalesce((new.is_listed and not new.is_folded)::int, 0)
    - coalesce((old.is_listed and not old.is_folded)::int, 0);
begin
  if change <> 0 then
    update notification_counts set listed = listed + change where owner_id = coalesce(new.owner_id, old.owner_id);
  end if;
  return null;
end $$;
create trigger notifications_counted after insert or delete or update of is_listed, is_folded on notifications
  for each row execute function keep_notification_count();
