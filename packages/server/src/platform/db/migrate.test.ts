import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { migrate } from './migrate.ts'
import { sql } from './sql.ts'
import { StartupError } from './startup-error.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase
let directory: string

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  await database.db.run(sql`drop schema public cascade`)
  await database.db.run(sql`create schema public`)
  directory = await mkdtemp(join(tmpdir(), 'migrations-'))
  await write('0001_items.sql', 'create table item (id int primary key); insert into item values (1);')
  return () => rm(directory, { recursive: true })
})
afterAll(() => database.close())

const write = (name: string, text: string) => writeFile(join(directory, name), text)
const run = () => migrate({ connection: database.connection, directory, log })
const applied = () => database.db.rows(sql`select version, name from schema_migrations order by version`)

async function expectRefusal(message: RegExp): Promise<void> {
  const error = await run().catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StartupError)
  expect(error.userMessage).toMatch(message)
  expect(error.userMessage).not.toContain('\n')
}

test('applies what is new, in order and once', async () => {
  await run()
  await write('0002_more.sql', 'alter table item add column name text;\nupdate item set name = $$x$$;')
  await run()
  await run()
  expect(await applied()).toEqual([
    { version: 1, name: '0001_items' },
    { version: 2, name: '0002_more' },
  ])
  expect(await database.db.rows(sql`select id, name from item`)).toEqual([{ id: 1, name: 'x' }])
})

test('a start that is interrupted begins no further migration, and the next one goes on', async () => {
  await write('0002_more.sql', 'alter table item add column name text;')
  const stopping = new AbortController()
  const interrupting = pino({ level: 'info' }, { write: () => stopping.abort(new Error('interrupted')) })
  const interrupted = migrate({
    connection: database.connection,
    directory,
    log: interrupting,
    stopping: stopping.signal,
  })
  await expect(interrupted).rejects.toThrow('interrupted')
  expect(await applied()).toHaveLength(1)
  await run()
  expect(await applied()).toHaveLength(2)
})

test('only the last of several waits for the disk, and takes the others there', async () => {
  const note = "insert into noted select current_setting('synchronous_commit');"
  await write('0002_noted.sql', `create table noted (setting text); ${note}`)
  await write('0003_online.sql', `-- online\n${note}\n`)
  await write('0004_last.sql', note)
  const connection = { ...database.connection, options: '-c synchronous_commit=on' }
  await migrate({ connection, directory, log })
  const settings = await database.db.rows<{ setting: string }>(sql`select setting from noted`)
  expect(settings.map(({ setting }) => setting)).toEqual(['off', 'off', 'on'])
})

test('processes that start at once apply each migration once', async () => {
  await Promise.all(Array.from({ length: 5 }, run))
  expect(await applied()).toHaveLength(1)
  expect(await database.db.rows(sql`select id from item`)).toEqual([{ id: 1 }])
})

test('an index that one process builds online does not wait for the others that start', async () => {
  await run()
  await write('0002_item_odd.sql', '-- online\ncreate index concurrently item_odd on item ((id % 2));\n')
  await Promise.all(Array.from({ length: 5 }, run))
  expect(await applied()).toHaveLength(2)
})

test('a failing migration leaves nothing behind and can be repaired', async () => {
  await write('0002_broken.sql', 'create table half (id int); select 1 / 0;')
  await expectRefusal(/0002_broken failed: division by zero/)
  expect(await applied()).toHaveLength(1)
  expect(await database.db.one(sql`select to_regclass('half') as half`)).toEqual({ half: null })
  await write('0002_broken.sql', 'create table half (id int);')
  await run()
  expect(await applied()).toHaveLength(2)
})

test('a changed migration is refused', async () => {
  await run()
  await write('0001_items.sql', 'create table item (id bigint primary key);')
  await expectRefusal(/0001_items was changed/)
})

test('a database that is newer than the program is refused', async () => {
  await write('0002_more.sql', 'select 1;')
  await run()
  await rm(join(directory, '0002_more.sql'))
  await expectRefusal(/newer than this program.*0002_more/)
})

test('misnamed and missing numbers are refused', async () => {
  await write('0003_gap.sql', 'select 1;')
  await expectRefusal(/0003_gap should have number 2/)
  await write('second.sql', 'select 1;')
  await expectRefusal(/second.sql is not named/)
})

test('a migration that waits for a table lets everyone else at it meanwhile', async () => {
  await run()
  await write('0002_more.sql', 'alter table item add column name text;')
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: hasRead, resolve: reportRead } = Promise.withResolvers<void>()
  const longRead = database.db.transaction(async (tx) => {
    await tx.rows(sql`select id from item`)
    reportRead()
    await mayEnd
  })
  await hasRead
  const migrating = run()
  const waits = sql`
    select 1 from pg_locks where relation = 'item'::regclass and mode = 'AccessExclusiveLock' and not granted`
  await expect.poll(() => database.db.run(waits), { interval: 5 }).toBe(1)
  // This one stands behind the migration, which must step aside although the long read goes on.
  expect(await database.db.rows(sql`select id from item`)).toEqual([{ id: 1 }])
  end()
  await longRead
  await migrating
  expect(await applied()).toHaveLength(2)
})

test('a migration that ends a deadlock is tried again', async () => {
  await write('0001_items.sql', 'create table item (id int primary key); create sequence tries;')
  await run()
  await write(
    '0002_more.sql',
    `do $$ begin
      if nextval('tries') = 1 then raise exception 'deadlock' using errcode = '40P01'; end if;
    end $$;`,
  )
  await run()
  expect(await applied()).toHaveLength(2)
  expect(await database.db.one(sql`select last_value from tries`)).toEqual({ lastValue: 2n })
})

test('an online migration has functions and blocks whose lines end in semicolons, and commits between them', async () => {
  await run()
  await write(
    '0002_functions.sql',
    `-- online
create or replace function two() returns int language plpgsql as $$
begin
  return 2;
end $$;
do $do$
begin
  insert into item values (two());
  commit;
  insert into item values (3);
end $do$;
insert into item values (4);
`,
  )
  await run()
  expect(await database.db.rows(sql`select id from item order by id`)).toEqual(
    [1, 2, 3, 4].map((id) => ({ id })),
  )
})

test('an online migration builds an index while the table is written to, and can be repeated', async () => {
  await run()
  const text = `-- online
-- A reason; with a semicolon.
drop index concurrently if exists item_odd;
create index concurrently item_odd on item ((id % 2));
`
  await write('0002_item_odd.sql', text)
  await run()
  expect(await applied()).toHaveLength(2)
  // As a process leaves it that dies before it has noted the end.
  await database.db.run(sql`delete from schema_migrations where version = 2`)
  await run()
  expect(
    await database.db.one(sql`select indisvalid from pg_index where indexrelid = 'item_odd'::regclass`),
  ).toEqual({
    indisvalid: true,
  })
})
