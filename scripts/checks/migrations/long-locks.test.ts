import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findLongLocks } from './long-locks.ts'

const directory = join(import.meta.dirname, '../../../packages/server/migrations')

const problemsIn = (text: string): string[] =>
  findLongLocks([
    { name: '0001_first.sql', text: 'create table jobs (id text);' },
    { name: '0999_try.sql', text },
  ])

test('no migration keeps a large table locked', () => {
  const files = readdirSync(directory).map((name) => ({
    name,
    text: readFileSync(join(directory, name), 'utf8'),
  }))
  expect(findLongLocks(files)).toEqual([])
})

test.each([
  'create index jobs_odd on jobs (id);',
  'create index on jobs (id);',
  'create unique index if not exists jobs_odd on jobs (id);',
  'create index concurrently jobs_odd on jobs (id);',
  'create index "jobs_odd" on "jobs" (id);',
  'alter table jobs alter column title type varchar(80);',
  'alter table jobs alter title set data type varchar(80);',
  'alter table jobs add column odd uuid default gen_random_uuid();',
  "alter table jobs add column odd bigint default nextval('odd');",
  'alter table jobs add column odd int generated always as (decisions + 1) stored;',
  'alter table jobs add column odd bigint generated always as identity;',
  'alter table jobs add column odd bigserial;',
  'alter table jobs add column odd text unique;',
  'alter table jobs add column odd text primary key;',
  'alter table jobs add column odd text references owners (id);',
  "alter table jobs add column odd text check (odd <> '');",
  'alter table jobs add column odd text not null;',
  'alter table jobs add column odd numbers_of_ours;',
  'alter table jobs add constraint odd check (decisions > 0);',
  'alter table jobs add check (decisions > 0);',
  'alter table jobs add constraint odd foreign key (id) references owners (id);',
  'alter table jobs add constraint odd unique (id);',
  'alter table jobs add unique (id);',
  'alter table jobs add primary key (id);',
  'alter table jobs add constraint odd exclude using gist (id with =);',
  'alter table jobs add column odd text, add constraint odd check (decisions > 0);',
  'alter table jobs alter column due_at set not null;',
  'alter table jobs attach partition old_jobs default;',
  'alter table jobs set tablespace slow;',
  'alter table jobs set unlogged;',
  'alter table jobs validate constraint odd;',
  '-- online\nalter table jobs add constraint odd check (id > 0) not valid, validate constraint odd;',
  "update jobs set title = '';",
  'delete from jobs;',
  '-- online\nwith gone as (select 1) delete from jobs;',
  'create table odd (id text);\ninsert into odd select id from jobs;',
  'insert into owners (id) (select id from jobs);',
  '-- online\nwith gone as (delete from jobs returning id) insert into owners select id from gone;',
  "-- online\ninsert into jobs select id from jobs on conflict (id) do update set title = '';",
  'create table odd (id text);\nupdate odd set id = jobs.id from jobs;',
  'create table odd (id text);\nupdate odd set id = (select max(id) from jobs);',
  'create table odd as select id from jobs;',
  'create table odd partition of jobs default;',
  'create table if not exists jobs (id text);\ncreate index on jobs (id);',
  'reindex table jobs;',
  'cluster jobs using jobs_pkey;',
  'vacuum full jobs;',
  'lock table jobs;',
  'truncate jobs;',
  'refresh materialized view odd;',
  'do $$ begin create index on jobs (id); end $$;',
  'select take_long();',
  'create trigger one after insert on jobs execute function f();\ncreate trigger two after insert on owners execute function f();',
])('rejects %s', (text) => expect(problemsIn(text)).toHaveLength(1))

test.each([
  '-- online\ncreate index concurrently jobs_odd on jobs (id);',
  '-- online\ndrop index concurrently if exists jobs_odd;',
  'drop index jobs_odd;',
  'create table odd (id text primary key, job text references jobs (id));\ncreate index on odd using hash (job);',
  'create table odd (id text);\nalter table odd add unique (id);\nupdate odd set id = 1;',
  'create table odd (id text) partition by range (id);',
  '-- online\ncreate table if not exists odd (id text);\ninsert into odd select id from jobs;',
  "insert into jobs (id, title) values ('a;b', 'x -- y') on conflict do nothing;",
  'alter table jobs add column odd text;',
  'alter table jobs add column if not exists odd numeric(78, 0), add even text[];',
  "alter table jobs add column odd text not null default 'it''s; a, text';",
  "alter table jobs add column odd jsonb default '{}'::jsonb;",
  'alter table jobs add column odd timestamptz not null default now();',
  'alter table jobs add column odd bigint default 0 not null;',
  'alter table jobs add constraint odd check (decisions > 0, 1) not valid;',
  'alter table jobs add constraint odd foreign key (id) references owners (id) not valid;',
  '-- online\nalter table jobs validate constraint odd;',
  'alter table jobs drop column odd, drop constraint if exists even;',
  'alter table jobs alter column odd drop not null, alter column odd set default 7;',
  'alter table jobs rename column odd to even;',
  'alter table jobs set (fillfactor = 80);',
  'create or replace function f() returns trigger language plpgsql as $$ begin update jobs set id = 1; end $$;',
  'create trigger one after insert on jobs execute function f();\ncreate trigger two after update on jobs execute function f();',
  '-- online\ncreate trigger one after insert on jobs execute function f();\ncreate trigger two after insert on owners execute function f();',
  "comment on table jobs is 'work';",
  '-- create index jobs_odd on jobs (id);\n/* update jobs; */',
])('allows %s', (text) => expect(problemsIn(text)).toEqual([]))
