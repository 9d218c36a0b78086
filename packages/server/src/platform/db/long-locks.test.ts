import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FirstRelease, startFirstRelease } from '../../testing/first-release/start-first-release.ts'
import { foundLocks, watchLocks } from '../../testing/lock-watch.ts'
import { migrate, migrationsDirectory } from './migrate.ts'

/** Those before it are exempt; docs/operations.md says what that means for an upgrade. */
const FIRST_WATCHED = 77

const log = pino({ level: 'silent' })

let database: FirstRelease
let directory: string
let landed: readonly string[]

const run = () => migrate({ connection: database.connection, directory, log })

async function apply(names: readonly string[]): Promise<void> {
  for (const name of names) await cp(join(migrationsDirectory, name), join(directory, name))
  await run()
}

beforeAll(async () => {
  database = await startFirstRelease()
  await database.restoreRows()
  directory = await mkdtemp(join(tmpdir(), 'watched-'))
  landed = (await readdir(migrationsDirectory)).sort()
  await apply(landed.slice(0, FIRST_WATCHED - 1))
  await watchLocks(database.db)
  await apply(landed.slice(FIRST_WATCHED - 1))
})
afterAll(async () => {
  await database.close()
  await rm(directory, { recursive: true })
})

test('no migration reads or rewrites a table while it keeps others from writing to it', async () => {
  expect(await foundLocks(database.db)).toEqual([])
})

const offending = [
  'create index on jobs (id);',
  'alter table jobs add column odd_1 uuid default gen_random_uuid();',
  'alter table jobs add column odd_2 bigserial;',
  'alter table jobs add column odd_3 text unique;',
  "alter table jobs add column odd_4 text check (odd_4 <> '');",
  'alter table jobs add check (price_micro >= 0);',
  'alter table jobs add unique (id, status);',
  'alter table jobs alter column fine_1 set not null;',
  'alter table jobs alter column title type varchar(8000);',
  "alter table jobs add column odd_5 text; update jobs set odd_5 = 'x';",
  'create trigger odd after insert on jobs for each row execute function odd();\nselect sum(price_micro) from jobs;',
  '-- online\ndo $$ begin create index on jobs (title); commit; perform 1; end $$;',
  '-- online\ndo $$ begin lock table jobs; alter table jobs add column odd_6 text; perform count(*) from jobs; alter table jobs drop column odd_6; end $$;',
  'reindex table jobs;',
  'cluster jobs using jobs_pkey;',
]

const harmless = [
  'create function odd() returns trigger language plpgsql as $$ begin return null; end $$;',
  '-- online\ncreate index concurrently jobs_odd on jobs (title);',
  'alter table jobs add column fine_1 int default 7;',
  "alter table jobs add column fine_2 text not null default 'x';",
  'alter table jobs add constraint fine check (price_micro > 0) not valid;',
  '-- online\nalter table jobs validate constraint fine;',
  '-- online\ncreate table sums (total numeric);\ninsert into sums select sum(price_micro) from jobs;',
  'create table other (id text primary key, job text references jobs (id));\ncreate index on other (job);',
  '-- online\ndo $$ begin perform count(*) from jobs; alter table jobs add column fine_3 text; end $$;',
]

test('finds what reads or rewrites a table under its lock, and nothing else', async () => {
  const nameOf = (index: number) => `${String(landed.length + index + 1).padStart(4, '0')}_try`
  for (const [index, text] of [...harmless, ...offending].entries())
    await writeFile(join(directory, `${nameOf(index)}.sql`), `${text}\n`)
  await run()
  const found = (await foundLocks(database.db)).map(({ migration }) => migration)
  expect([...new Set(found.filter((name) => name.endsWith('_try')))]).toEqual(
    offending.map((_text, index) => nameOf(harmless.length + index)),
  )
})
