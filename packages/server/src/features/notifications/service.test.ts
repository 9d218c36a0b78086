import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type StartedFeed, startFeed, told } from './testing/start-feed.ts'

let feature: StartedFeed
beforeAll(async () => {
  feature = await startFeed()
})
afterAll(() => feature.close())

test('a notification exists if, and only if, its transaction commits', async () => {
  const { ownerId } = await feature.newOwner()
  const { db, notify } = feature
  const failing = db.transaction(async (tx) => {
    await notify(tx, told(ownerId, 'never'))
    throw new Error('it went wrong')
  })
  await expect(failing).rejects.toThrow('it went wrong')
  expect(await readAll(ownerId)).toEqual([])
})

test('a second writer waits for the first, so that the numbers of an owner follow the order of commit', async () => {
  const { ownerId } = await feature.newOwner()
  const { db, notify } = feature
  const firstWrote = Promise.withResolvers<void>()
  const letFirstCommit = Promise.withResolvers<void>()
  const first = db.transaction(async (tx) => {
    await notify(tx, told(ownerId, 'first'))
    firstWrote.resolve()
    await letFirstCommit.promise
  })
  await firstWrote.promise

  let isSecondDone = false
  const second = feature.tell(ownerId, 'second').then(() => {
    isSecondDone = true
  })
  await untilSomeoneWaits()
  expect(isSecondDone).toBe(false)
  expect(await readAll(ownerId)).toEqual([])

  letFirstCommit.resolve()
  await Promise.all([first, second])
  expect(await readAll(ownerId)).toEqual(['first', 'second'])
})

test('a reader that follows `seq` while many write sees every one, in order', async () => {
  const { ownerId } = await feature.newOwner()
  const titles = Array.from({ length: 120 }, (_, index) => `t${index}`)
  const seen: string[] = []
  let last = 0n
  const readOn = async () => {
    const rows = await feature.db.rows<{ seq: bigint; title: string }>(
      sql`select seq, title from notifications where owner_id = ${ownerId} and seq > ${last} order by seq`,
    )
    for (const row of rows) {
      seen.push(row.title)
      last = row.seq
    }
  }
  const writing = Promise.all(titles.map((title) => feature.tell(ownerId, title)))
  let isWriting = true
  void writing.finally(() => {
    isWriting = false
  })
  while (isWriting) await readOn()
  await writing
  await readOn()
  expect(seen.toSorted()).toEqual(titles.toSorted())
  expect(seen).toEqual(await readAll(ownerId))
})

test('writers that notify the same owners in other orders do not deadlock', async () => {
  const [one, other] = [(await feature.newOwner()).ownerId, (await feature.newOwner()).ownerId]
  const { db, notify } = feature
  const before = await deadlocks()
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => {
      const [a, b] = index % 2 === 0 ? [one, other] : [other, one]
      return db.transaction((tx) => notify(tx, told(a, `a${index}`), told(b, `b${index}`)))
    }),
  )
  expect(await readAll(one)).toHaveLength(40)
  expect(await readAll(other)).toHaveLength(40)
  expect(await deadlocks()).toBe(before)
})

test('one call keeps its order, and notifying nobody does nothing', async () => {
  const { ownerId } = await feature.newOwner()
  const { db, notify } = feature
  await db.transaction((tx) => notify(tx, told(ownerId, 'x'), told(ownerId, 'y'), told(ownerId, 'z')))
  await db.transaction((tx) => notify(tx))
  expect(await readAll(ownerId)).toEqual(['x', 'y', 'z'])
})

async function readAll(ownerId: string): Promise<string[]> {
  const rows = await feature.db.rows<{ title: string }>(
    sql`select title from notifications where owner_id = ${ownerId} order by seq`,
  )
  return rows.map((row) => row.title)
}

async function untilSomeoneWaits(): Promise<void> {
  await expect
    .poll(async () => {
      const { waiting } = await feature.db.one<{ waiting: bigint }>(sql`
        select count(*) as waiting from pg_locks
        where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`)
      return waiting
    })
    .toBe(1n)
}

async function deadlocks(): Promise<bigint> {
  const row = await feature.db.one<{ deadlocks: bigint }>(
    sql`select deadlocks from pg_stat_database where datname = current_database()`,
  )
  return row.deadlocks
}
