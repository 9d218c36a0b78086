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

test('the counts of the feed are kept, from the first page on and through everything that changes it', async () => {
  const owner = await feature.newOwner()
  const { ownerId, headers } = owner
  const { db, notify } = feature
  const totals = async () => {
    const page = (await feature.http.inject({ url: '/api/notifications?limit=1', headers })).json().data
    const counted = await db.one<{ listed: bigint; unread: bigint }>(sql`
      select count(*) filter (where is_listed) as listed, count(*) filter (where read_at is null) as unread
      from notifications where owner_id = ${ownerId} and not is_folded`)
    const shown = { listed: page.total, unread: page.unreadCount }
    return { shown, counted: { listed: Number(counted.listed), unread: Number(counted.unread) } }
  }
  const kept = () =>
    db.maybeOne<{ listed: bigint; unread: bigint }>(
      sql`select listed, unread from notification_counts where owner_id = ${ownerId}`,
    )
  await feature.tell(ownerId, 'before')
  const before = await totals()
  expect(before.shown).toEqual(before.counted)

  // Many at once; those of one key are folded.
  await Promise.all(Array.from({ length: 8 }, (_, index) => feature.tell(ownerId, `t${index}`)))
  for (let count = 0; count < 6; count += 1)
    await db.transaction((tx) => notify(tx, { ...told(ownerId, 'again'), foldKey: 'again' }))
  await db.run(sql`delete from notifications where owner_id = ${ownerId} and title = 't3'`)
  const listed = before.counted.listed + 8 - 1 + 3
  expect(await totals()).toEqual({ shown: { listed, unread: listed }, counted: { listed, unread: listed } })

  // One is read, then the same once more, then all that is left, while others arrive.
  const { notifications } = (await feature.http.inject({ url: '/api/notifications', headers })).json().data
  for (let count = 0; count < 2; count += 1)
    await feature.http.inject({
      method: 'POST',
      url: `/api/notifications/${notifications[0].id}/read`,
      headers,
    })
  expect((await totals()).shown).toEqual({ listed, unread: listed - 1 })
  await Promise.all([
    ...Array.from({ length: 4 }, (_, index) => feature.tell(ownerId, `u${index}`)),
    feature.http.inject({ method: 'POST', url: '/api/notifications/read-all', headers }),
  ])
  const after = await totals()
  expect(after.shown).toEqual(after.counted)
  expect(await kept()).toEqual({ listed: BigInt(listed + 4), unread: BigInt(after.counted.unread) })

  // A process of the release before this one makes a row without the unread ones.
  await db.run(sql`update notification_counts set unread = null where owner_id = ${ownerId}`)
  await feature.tell(ownerId, 'later')
  const later = await totals()
  expect(later.shown).toEqual(later.counted)
  expect(await kept()).toEqual({ listed: BigInt(listed + 5), unread: BigInt(later.counted.unread) })
})

test('what one statement brings several owners is counted for each of them', async () => {
  const { db, notify } = feature
  const owners = await Promise.all([3, 2, 0].map(async (count) => ({ ...(await feature.newOwner()), count })))
  const shown = () =>
    Promise.all(
      owners.map(async ({ headers }) => {
        const { data } = (await feature.http.inject({ url: '/api/notifications', headers })).json()
        return [data.total, data.unreadCount]
      }),
    )
  // From the first look on, the counts are kept.
  const before = await shown()
  const notices = owners.flatMap(({ ownerId, count }) =>
    Array.from({ length: count }, (_, index) => told(ownerId, `n${index}`)),
  )
  const [first] = owners
  const streamed = { ...told(first?.ownerId ?? '', 'streamed'), reach: 'STREAM' as const }
  await db.transaction((tx) => notify(tx, ...notices, streamed))
  expect(await shown()).toEqual(
    owners.map(({ count }, index) => before[index]?.map((kept: number) => kept + count)),
  )
})

test('a page that is read while its owner is being notified waits for nobody, and its count is not kept', async () => {
  const { ownerId, headers } = await feature.newOwner()
  const { db, notify } = feature
  const totalNow = async () =>
    (await feature.http.inject({ url: '/api/notifications', headers })).json().data.total
  const [hasWritten, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const writing = db.transaction(async (tx) => {
    await notify(tx, told(ownerId, 'late'))
    hasWritten.resolve()
    await mayCommit.promise
  })
  await hasWritten.promise
  const before = await totalNow()
  mayCommit.resolve()
  await writing
  expect(await totalNow()).toBe(before + 1)
  await feature.tell(ownerId, 'later')
  expect(await totalNow()).toBe(before + 2)
})

test('what is read without the lock, as by the release before, does not slip past counts that begin meanwhile', async () => {
  const { ownerId, headers } = await feature.newOwner()
  const { db } = feature
  const unreadNow = async () =>
    (await feature.http.inject({ url: '/api/notifications', headers })).json().data.unreadCount
  await feature.tell(ownerId, 'first')
  await db.run(sql`delete from notification_counts where owner_id = ${ownerId}`)
  const [hasRead, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const reading = db.transaction(async (tx) => {
    await tx.run(sql`update notifications set read_at = now() where owner_id = ${ownerId}`)
    hasRead.resolve()
    await mayCommit.promise
  })
  await hasRead.promise
  expect(await unreadNow()).toBeGreaterThan(0)
  mayCommit.resolve()
  await reading
  expect(await unreadNow()).toBe(0)
})
