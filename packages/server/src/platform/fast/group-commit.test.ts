import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { attempt, createGroupCommit } from './group-commit.ts'

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
  await db.run(sql`create table items (name text primary key, batch integer not null check (name <> 'bad'))`)
})
afterAll(() => database.close())
beforeEach(() => db.run(sql`delete from items`))

const namesOf = async () =>
  (await db.rows<{ name: string }>(sql`select name from items order by name`)).map(({ name }) => name)

/** Writes names; the batches are numbered, and a name that begins with `no` is refused without being written. */
function createNames(options: { lockTimeoutMs?: number; keyOf?: (name: string) => string } = {}) {
  const batches: string[][] = []
  const write = async (tx: Transaction, names: readonly string[]) => {
    const batch = batches.push([...names])
    const outcomes = names.map((name) =>
      attempt(() => {
        if (name.startsWith('no')) throw new RangeError(name)
        return `${name} is in`
      }),
    )
    const granted = names.filter((_name, index) => outcomes[index]?.status === 'fulfilled')
    await tx.run(
      sql`insert into items (name, batch) select name, ${batch} from unnest(${granted}::text[]) name`,
    )
    return outcomes
  }
  return { add: createGroupCommit({ db, write, ...options }), batches }
}

test('a lone item is written at once, and what comes meanwhile shares a commit', async () => {
  const { add, batches } = createNames()
  const names = Array.from({ length: 100 }, (_, index) => `n${String(index).padStart(2, '0')}`)
  const responses = await Promise.all(names.map(add))
  expect(responses).toEqual(names.map((name) => `${name} is in`))
  expect(batches.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([1, 3, 32, 32, 32])
  expect(await namesOf()).toEqual(names)
})

test('a caller gets its response only after the commit', async () => {
  const { add } = createNames()
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await add(name)
      expect(await namesOf()).toContain(name)
    }),
  )
})

test('an item that is refused leaves the others of its batch alone', async () => {
  const { add, batches } = createNames()
  const outcomes = await Promise.allSettled(['first', 'x', 'no', 'y'].map(add))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[2]).toMatchObject({ reason: expect.any(RangeError) })
  expect(batches).toHaveLength(2)
  expect(await namesOf()).toEqual(['first', 'x', 'y'])
})

test('an item that the database refuses fails by itself, and each of the others is written once', async () => {
  const { add, batches } = createNames()
  const outcomes = await Promise.allSettled(['first', 'x', 'bad', 'y'].map(add))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[2]).toMatchObject({ reason: { code: '23514' } })
  expect(batches.toSorted()).toEqual([['bad'], ['first'], ['x'], ['x', 'bad', 'y'], ['y']])
  expect(await namesOf()).toEqual(['first', 'x', 'y'])
})

test('a batch that waits for a lock holds nobody else up', async () => {
  const { add } = createNames({ lockTimeoutMs: 20 })
  const released = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holder = db.transaction(async (tx) => {
    await tx.run(sql`insert into items (name, batch) values ('held', 0)`)
    held.resolve()
    await released.promise
    throw new Error('rolled back')
  })
  await held.promise
  let isWritten = false
  const waiting = add('held').then(() => {
    isWritten = true
  })
  await Promise.all(['a', 'b', 'c'].map(add))
  await Promise.all(['d', 'e'].map(add))
  expect([isWritten, await namesOf()]).toEqual([false, ['a', 'b', 'c', 'd', 'e']])
  released.resolve()
  await expect(holder).rejects.toThrow('rolled back')
  await waiting
  expect(await namesOf()).toContain('held')
})

test('where batches take longer, they wait for each other’s locks for longer, up to a limit', async () => {
  let nowMs = 0
  let takesMs = 10
  const waits: (number | undefined)[] = []
  const add = createGroupCommit<string, string>({
    db: {
      transaction: async (work, options) => {
        waits.push(options?.lockTimeoutMs)
        nowMs += takesMs
        return work({} as Transaction)
      },
    },
    nowMs: () => nowMs,
    write: async (_tx, names) => names.map((value) => ({ status: 'fulfilled', value })),
  })
  for (takesMs of [10, 300, 5_000, 10, 10]) await add('x')
  expect(waits).toEqual([200, 200, 900, 2_000, 200])
})

test('items of one key are written one after another', async () => {
  const { add, batches } = createNames({ keyOf: (name) => name.slice(0, 1) })
  await Promise.all(
    ['a1', 'b1', 'a2', 'b2', 'a3', 'no', 'no', 'c1'].map((name) => add(name).catch(() => name)),
  )
  for (const batch of batches) {
    const keys = batch.map((name) => name.slice(0, 1))
    expect(new Set(keys).size).toBe(keys.length)
  }
  expect(await namesOf()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])
})

test('a lost connection fails its batch, as nobody knows what was written, and those queued behind it', async () => {
  const batches: string[][] = []
  const add = createGroupCommit<string, string>({
    db,
    batchLimit: 2,
    write: async (tx, names) => {
      batches.push([...names])
      if (names.includes('x')) await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`)
      return names.map((name) => ({ status: 'fulfilled', value: name }))
    },
  })
  const outcomes = await Promise.allSettled(['first', 'x', 'y', 'behind'].map(add))
  const failed = { status: 'rejected', reason: { code: 'UNAVAILABLE' } }
  expect(outcomes).toMatchObject([{ status: 'fulfilled' }, failed, failed, failed])
  expect(batches.toSorted()).toEqual([['first'], ['x', 'y']])
  expect(await add('later')).toBe('later')
})
