import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from '../../../testing/processes/replicated-postgres.ts'
import { createDatabase } from '../database.ts'
import { sql } from '../sql.ts'
import { createLogHistory } from './log-history.ts'
import { createReads } from './reads.ts'
import { createReplicas, PRIMARY_ONLY, type Replicas } from './replicas.ts'

const preparedCluster = inject('preparedCluster')
const log = pino({ level: 'silent' })
const MAX_LAG_MS = 1_000

test('a position is as old as the latest look at which the primary was no further', () => {
  const history = createLogHistory()
  const note = (atMs: number, position: bigint, timeline = '00000001') =>
    history.note(atMs, { timeline, position })
  expect(history.timeOf(5n)).toBeUndefined()
  expect([note(100, 5n), note(200, 5n), note(300, 8n)]).toEqual([true, true, true])
  expect([4n, 5n, 7n, 8n, 9n].map(history.timeOf)).toEqual([undefined, 200, 200, 300, 300])
  // A new primary that lacks the end of the log: what was noted of the other says nothing any more.
  expect(note(400, 6n)).toBe(false)
  expect([5n, 6n, 8n].map(history.timeOf)).toEqual([undefined, 400, 400])
  // One that has written further meanwhile.
  expect([note(500, 9n), note(600, 9n, '00000002')]).toEqual([true, false])
  expect([8n, 9n].map(history.timeOf)).toEqual([undefined, 600])
})

describe.skipIf(preparedCluster === null)('a streaming standby', () => {
  let servers: ReplicatedPostgres
  let replicas: Replicas
  let passedMs = 0

  beforeAll(async () => {
    servers = await startReplicatedPostgres(preparedCluster ?? '')
    await servers.primary.db.run(sql`create table note (text text)`)
    replicas = createReplicas({
      primary: servers.primary.db,
      replicas: [
        {
          name: 'standby',
          db: createDatabase({ connection: servers.standby.connection, poolSize: 2, log }),
        },
      ],
      maxLagMs: MAX_LAG_MS,
      log,
      nowMs: () => performance.now() + passedMs,
    })
  })
  afterAll(async () => {
    await replicas.close()
    await servers.close()
  })

  const write = (text: string) => servers.primary.db.run(sql`insert into note values (${text})`)
  const isAsked = async (freshness = {}) => {
    await replicas.check()
    return replicas.pick(freshness) !== undefined
  }
  const reads = () =>
    createReads(replicas, { db: servers.primary.db, searchDb: servers.primary.db }, ({ db }) => db)
  const notes = sql`select text from note`

  test('is not used before it was looked at, and then once it shows what is wanted', async () => {
    expect(replicas.pick()).toBeUndefined()
    expect(replicas.lags().get('standby')).toBe(Number.POSITIVE_INFINITY)
    await write('first')
    const position = await replicas.position()
    await expect.poll(() => isAsked({ position })).toBe(true)
    expect(replicas.pick({ position: PRIMARY_ONLY })).toBeUndefined()
    const found = await reads()({ position }, (db) => db.rows(notes))
    expect(found).toEqual([{ text: 'first' }])
  })

  test('is as far behind as the time since it showed everything, and is not used beyond the limit', async () => {
    await servers.standby.pause()
    // A primary that only idles leaves nobody behind.
    passedMs += 10 * MAX_LAG_MS
    expect(await isAsked()).toBe(true)

    await write('second')
    const position = await replicas.position()
    expect(await isAsked({ position })).toBe(false)
    expect(await isAsked({ sinceMs: performance.now() + passedMs })).toBe(false)
    expect(await reads()(undefined, (db) => db.rows(notes))).toHaveLength(1)
    expect(await reads()({ position }, (db) => db.rows(notes))).toHaveLength(2)

    const behind: string[] = []
    replicas.onBehind((name) => behind.push(name))
    passedMs += 2 * MAX_LAG_MS
    expect(await isAsked()).toBe(false)
    expect(behind).toEqual([])
    passedMs += 60_000
    for (let look = 0; look < 2; look += 1) expect(await isAsked()).toBe(false)
    expect(behind).toEqual(['standby'])
    expect(replicas.lags().get('standby')).toBeGreaterThan(2)
    expect(await reads()(undefined, (db) => db.rows(notes))).toHaveLength(2)

    await servers.standby.resume()
    await expect.poll(() => isAsked({ position })).toBe(true)
    expect(replicas.lags().get('standby')).toBeLessThan(MAX_LAG_MS / 1000)
  })

  test('one that hangs delays no other', async () => {
    const released = Promise.withResolvers<never>()
    const standby = createDatabase({ connection: servers.standby.connection, poolSize: 2, log })
    const beside = createReplicas({
      primary: servers.primary.db,
      replicas: [
        { name: 'hanging', db: { ...standby, one: () => released.promise, close: async () => undefined } },
        { name: 'standby', db: standby },
      ],
      maxLagMs: MAX_LAG_MS,
      log,
      checkMs: 10,
    })
    beside.start()
    // The first look finds the one that hangs, and every later one.
    for (const text of ['third', 'fourth']) {
      await write(text)
      const position = await beside.position()
      await expect.poll(() => beside.pick({ position })?.name).toBe('standby')
    }
    released.reject(new Error('it was stopped'))
    await beside.close()
    await servers.primary.db.run(sql`delete from note where text in ('third', 'fourth')`)
  })

  test('one that was beyond the primary has another log, and is not used until it has moved', async () => {
    let position = (await replicas.position()) + 100_000n
    const standby = createDatabase({ connection: servers.standby.connection, poolSize: 2, log })
    const elsewhere = createReplicas({
      primary: servers.primary.db,
      replicas: [{ name: 'elsewhere', db: { ...standby, one: async () => ({ position }) as never } }],
      maxLagMs: MAX_LAG_MS,
      log,
    })
    await elsewhere.check()
    await elsewhere.check()
    expect(elsewhere.pick()).toBeUndefined()
    // The primary's log passes the place where the other one ended.
    const writeMany = sql`insert into note select 'passing' from generate_series(1, 1000)`
    while ((await elsewhere.position()) <= position) await servers.primary.db.run(writeMany)
    await elsewhere.check()
    await elsewhere.check()
    expect(elsewhere.pick()).toBeUndefined()
    await expect
      .poll(async () => {
        position = await elsewhere.position()
        await elsewhere.check()
        return elsewhere.pick()?.name
      })
      .toBe('elsewhere')
    await elsewhere.close()
    await servers.primary.db.run(sql`delete from note where text = 'passing'`)
  })

  test('its error is no answer: the primary is read, except after a read that took too long', async () => {
    await expect.poll(isAsked).toBe(true)
    const servedBy: boolean[] = []
    const readOnce = (statement: ReturnType<typeof sql>) =>
      reads()(undefined, async (db) => {
        servedBy.push(db === servers.primary.db)
        if (db !== servers.primary.db) await db.rows(statement)
        return 'read'
      })
    expect(await readOnce(sql`select 1 from a_table_of_a_later_version`)).toBe('read')
    expect(servedBy).toEqual([false, true])
    const cancelled = sql`do $$ begin raise exception using errcode = '57014'; end $$`
    await expect(readOnce(cancelled)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(servedBy).toEqual([false, true, false])
  })

  test('one that dies is replaced by the primary at once', async () => {
    await expect.poll(isAsked).toBe(true)
    await servers.standby.stop()
    expect(await reads()(undefined, (db) => db.rows(notes))).toHaveLength(2)
    expect(replicas.pick()).toBeUndefined()
    expect(await isAsked()).toBe(false)
    expect(replicas.lags().get('standby')).toBe(Number.POSITIVE_INFINITY)
  })
})
