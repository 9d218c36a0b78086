import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import type { Queryable } from './queryable.ts'
import { removeRows } from './remove-rows.ts'
import { sql } from './sql.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.db.run(sql`truncate used_sign_ins`)
  await database.db.run(sql`
    insert into used_sign_ins (nonce, expires_at)
    select 'nonce' || n, case when n <= 25 then now() - interval '1 day' else now() + interval '1 day' end
    from generate_series(1, 30) n`)
})

const expired = { table: 'used_sign_ins', where: sql`expires_at <= now()`, atOnce: 10 }
const left = async () =>
  (await database.db.one<{ count: number }>(sql`select count(*)::integer as count from used_sign_ins`)).count

/** Counts what each statement removes. */
function watched(afterEach: () => void = () => undefined) {
  const removed: number[] = []
  const db: Queryable = {
    ...database.db,
    async run(statement) {
      const count = await database.db.run(statement)
      removed.push(count)
      afterEach()
      return count
    },
  }
  return { db, removed }
}

test('removes all rows that fit, some at a time, and no other', async () => {
  const { db, removed } = watched()
  await removeRows(db, expired, new AbortController().signal)
  expect([removed, await left()]).toEqual([[10, 10, 5], 5])
})

test('ends when the process stops; the rest is for the next time', async () => {
  const stopping = new AbortController()
  const { db, removed } = watched(() => stopping.abort())
  await removeRows(db, expired, stopping.signal)
  expect([removed, await left()]).toEqual([[10], 20])
})

test('a row that is extended meanwhile stays', async () => {
  let removal: Promise<void> | undefined
  await database.db.transaction(async (tx) => {
    await tx.run(sql`update used_sign_ins set expires_at = now() + interval '1 day' where nonce = 'nonce1'`)
    removal = removeRows(database.db, expired, new AbortController().signal)
    await untilSomebodyWaits()
  })
  await removal
  const { kept } = await database.db.one<{ kept: boolean }>(
    sql`select exists (select from used_sign_ins where nonce = 'nonce1') as kept`,
  )
  expect(kept).toBe(true)
})

async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const { waits } = await database.db.one<{ waits: boolean }>(
      sql`select exists (select from pg_locks where not granted) as waits`,
    )
    if (waits) return
  }
}
