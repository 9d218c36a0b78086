-- What an owner is told. `seq` is the cursor of the live stream.
create sequence notifications_seq;
create table notifications (
  id text primary key,
  seq bigint not null,
  owner_id text not null references owners (id),
  type text not null,
  title text not null,
  message text not null,
  link text,
  read_at timestamptz,
  created_at timestamptz not null
);
alter sequence notifications_seq owned by notifications.seq;
-- The feed and the stream walk the first; the unread count and the unread feed the second.
create unique index notifications_feed on notifications (owner_id, seq);
create index notifications_unread on notifications (owner_id, seq) where read_at is null;

-- A reader that asks for `seq > last` must never skip one. So the numbers of one owner follow the order of commit: the
-- lock is taken before the number and held until the transaction ends. It stands in a trigger, so that it holds for
-- every statement that inserts, whoever wrote it. Listeners hear of the row when, and only when, it commits.
create function number_notification() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.owner_id, 3));
  new.seq := nextval('notifications_seq');
  perform pg_notify('owner_notified', new.owner_id);
  return new;
end $$;
create trigger notifications_number before insert on notifications
  for each row execute function number_notification();
