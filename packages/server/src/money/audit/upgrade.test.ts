import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, migrationsDirectory } from '../../platform/db/migrate.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'

/** The last version without the audit of what changed. */
const BEFORE = 76

let database: TestDatabase
let directory: string
beforeAll(async () => {
  database = await createTestDatabase()
  directory = await mkdtemp(join(tmpdir(), 'migrations-'))
  for (const file of await readdir(migrationsDirectory))
    if (Number(file.slice(0, 4)) <= BEFORE) await cp(join(migrationsDirectory, file), join(directory, file))
})
afterAll(async () => {
  await rm(directory, { recursive: true })
  await database.close()
})

const upTo = (from: string) =>
  migrate({ connection: database.connection, directory: from, log: pino({ level: 'silent' }) })

/** Takes an entry back. */
const reverse = (db: Queryable, id: string) =>
  db.run(sql`
    with entry as (
      insert into journal_entries (id, kind, at, reverses) values (${`${id}back`}, 'test', now(), ${id}) returning id)
    insert into journal_postings
    select entry.id, p.account, -p.amount_micro from entry, journal_postings p where p.entry_id = ${id}`)

const post = (db: Queryable, id: string) =>
  db.run(sql`
    with entry as (insert into journal_entries (id, kind, at) values (${id}, 'test', now()) returning id)
    insert into journal_postings select id, posting.account, posting.amount from entry,
      (values ('escrow:0xa', 5), ('wallet:0xb', 2), ('outside:world', -7)) as posting (account, amount)`)

test('an upgrade keeps no table locked while it waits for another, and counts each posting once', async () => {
  const { db } = database
  await db.run(sql`drop schema public cascade`)
  await db.run(sql`create schema public`)
  await upTo(directory)
  await post(db, 'jbefore')
  await post(db, 'jreversed')
  await reverse(db, 'jreversed')

  const [hasWritten, mayPost] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const writer = db.transaction(async (tx) => {
    await tx.run(sql`update withdrawals set attempts = attempts`)
    hasWritten.resolve()
    await mayPost.promise
    await post(tx, 'jduring')
  })
  await hasWritten.promise
  const migrating = upTo(migrationsDirectory)
  const locks = (isGranted: boolean) =>
    db.rows<{ name: string }>(sql`
      select c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
      where l.mode = 'ShareRowExclusiveLock' and l.granted = ${isGranted} and l.pid <> pg_backend_pid()`)
  await expect.poll(() => locks(false), { interval: 5 }).toEqual([{ name: 'withdrawals' }])
  expect(await locks(true)).toEqual([])
  mayPost.resolve()
  await writer
  await migrating
  await post(db, 'jafter')
  await post(db, 'jundone')
  await reverse(db, 'jundone')

  const balances = await db.rows(sql`
    select account, sum(amount_micro) as amount_micro from (
      select account, amount_micro from account_balances union all select account, amount_micro from unfolded_postings) posted
    group by account order by account collate "C"`)
  expect(balances).toEqual([
    { account: 'escrow:', amountMicro: 10n },
    { account: 'escrow:0xa', amountMicro: 15n },
    { account: 'outside:world', amountMicro: -21n },
    { account: 'wallet:0xb', amountMicro: 6n },
  ])
  const listed = [
    ['jbefore', false],
    ['jreversed', true],
    ['jduring', false],
    ['jafter', false],
    ['jundone', true],
  ] as const
  expect(
    await db.rows(sql`select entry_id, amount_micro, kind, is_reversed from earning_entries order by seq`),
  ).toEqual(listed.map(([entryId, isReversed]) => ({ entryId, amountMicro: 2n, kind: 'test', isReversed })))
})
