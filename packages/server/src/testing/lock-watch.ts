import type { Database } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

/** A migration that read or rewrote a table while it kept others from writing to it. */
export interface LongLock {
  migration: string
  table: string
}

/**
 * Watches the migrations of a database from within, by what they do and not by how long they take. Before each statement of
 * DDL it notes how often each table has been read from end to end. After it, and when the migration ends, it looks for tables
 * that have been read since and that the same transaction keeps others from writing to. A table or an index that has another
 * file than before the migration was rewritten.
 */
export async function watchLocks({ pool }: Database): Promise<void> {
  await pool.query(`
    create schema watch;
    create view watch.present as
      select oid, pg_relation_filenode(oid) as file from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'i', 'm');
    create table watch.files as table watch.present;
    create table watch.found (relation oid, migration int);

    create view watch.locked as
      select distinct relation, pg_stat_get_xact_numscans(relation) as scans from pg_locks
      where pid = pg_backend_pid() and granted and relation in (select oid from watch.files)
        and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock');

    -- The setting ends with the transaction: a block that commits has several.
    create function watch.begin() returns event_trigger language plpgsql as $$
    begin
      if coalesce(current_setting('watch.scans', true), '') = '' or not exists (select from watch.locked) then
        perform set_config('watch.scans', (
          select json_object_agg(oid::text, pg_stat_get_xact_numscans(oid)) from watch.files)::text, true);
      end if;
    end $$;
    create function watch.look() returns void language sql as $$
      insert into watch.found (relation)
      select relation from watch.locked
      where scans > (nullif(current_setting('watch.scans', true), '')::json ->> relation::text)::bigint
    $$;
    create function watch.after() returns event_trigger language plpgsql as $$ begin perform watch.look(); end $$;
    create event trigger watch_begin on ddl_command_start execute function watch.begin();
    create event trigger watch_after on ddl_command_end execute function watch.after();

    create function watch.end_migration() returns trigger language plpgsql as $$
    begin
      perform watch.look();
      insert into watch.found (relation)
      select oid from watch.files where pg_relation_filenode(oid) <> file;
      update watch.found set migration = new.version where migration is null;
      delete from watch.files;
      insert into watch.files table watch.present;
      return null;
    end $$;
    create trigger watched after insert on schema_migrations for each row execute function watch.end_migration()`)
}

/** What was found in each migration since the watch began. */
export const foundLocks = (db: Database): Promise<LongLock[]> =>
  db.rows<LongLock>(sql`
    select distinct name as migration, relation::regclass::text as "table"
    from watch.found join schema_migrations on version = migration order by 1, 2`)
