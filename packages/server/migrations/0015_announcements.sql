-- Every commit that carries a message takes one lock of the whole server until it is on disk, so commits with messages
-- follow one another: measured at 32 writers, a quarter of the notifications per second. The service announces a
-- notification itself, right after the commit and together with others; a stream also looks at each heartbeat, so that
-- an announcement that was lost with its process delays a notification and never loses it.
create or replace function number_notification() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.owner_id, 3));
  new.seq := nextval('notifications_seq');
  return new;
end $$;
