import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findLongLocks } from './migrations.ts'

const directory = join(import.meta.dirname, '../../packages/server/migrations')

const problemsIn = (text: string): number => findLongLocks([{ name: '0999_try.sql', text }]).length

test('no migration keeps a large table locked', () => {
  const files = readdirSync(directory).map((name) => ({
    name,
    text: readFileSync(join(directory, name), 'utf8'),
  }))
  expect(findLongLocks(files)).toEqual([])
})

test.each([
  ['create index jobs_odd on jobs (id);', 1],
  ['create unique index if not exists jobs_odd on jobs (id);', 1],
  ['-- online\ncreate index concurrently jobs_odd on jobs (id);', 0],
  ['create table odd (id text);\ncreate index odd_id on odd (id);', 0],
  ['alter table jobs alter column title type varchar(80);', 1],
  ['alter table jobs add column odd text;', 0],
  ["alter table jobs add column odd text not null default 'x';", 0],
  ['alter table jobs add column odd uuid default gen_random_uuid();', 1],
  ['alter table jobs add column odd int generated always as (decisions + 1) stored;', 1],
  ['alter table jobs add constraint odd check (decisions > 0);', 1],
  ['alter table jobs add constraint odd check (decisions > 0) not valid;', 0],
  ['alter table jobs alter column due_at set not null;', 1],
  ['-- create index jobs_odd on jobs (id);', 0],
])('%s', (text, problems) => expect(problemsIn(text)).toBe(problems))
