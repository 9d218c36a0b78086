import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { sql } from '../sql.ts'
import { countMonthsAhead, keepMonths, type Retention } from './keep-months.ts'
import { detach, listDetached, listPartitions } from './partitions.ts'
import { restoreMonth } from './restore.ts'

const log = pino({ level: 'silent' })
const now = new Date('2030-11-20T12:00:00.000Z')
let database: TestDatabase
let directory: string

beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.run(sql`create table sensors (id int primary key)`)
  return () => database.close()
})
beforeEach(async () => {
  const { db } = database
  directory = await mkdtemp(join(tmpdir(), 'months-'))
  // A month that was taken out no longer goes with its table.
  await db.run(sql`drop table if exists readings, readings_2030_09`)
  await db.run(sql`truncate sensors, detached_months`)
  await db.run(sql`insert into sensors select generate_series(1, 3)`)
  await db.run(sql`
    create table readings (sensor_id int not null references sensors (id) on delete cascade, at timestamptz not null,
      value numeric, note text not null default 'none', is_open boolean not null default false)
    partition by range (at)`)
  await db.run(sql`create unique index on readings (sensor_id, at)`)
  await db.run(sql`create table readings_default partition of readings default`)
  await keep()
  return () => rm(directory, { recursive: true })
})

interface Options extends Omit<Retention, 'table' | 'keptSince'> {
  at?: Date
  keptSince?: Date
}

const keep = ({ at = now, keptSince, ...rest }: Options = {}) =>
  keepMonths({
    db: database.db,
    retentions: [{ table: 'readings', keptSince: () => keptSince, ...rest }],
    now: at,
    archiveDirectory: undefined,
    log,
  })

const write = (at: string, { sensor = 1, isOpen = false } = {}) =>
  database.db.run(
    sql`insert into readings (sensor_id, at, value, is_open) values (${sensor}, ${new Date(at)}, 1.250, ${isOpen})`,
  )
const names = async () => (await listPartitions(database.db, 'readings')).map(({ name }) => name)
const places = async () => {
  const rows = await database.db.rows<{ place: string }>(
    sql`select tableoid::regclass::text as place from readings order by at`,
  )
  return rows.map(({ place }) => place)
}
const contents = () =>
  database.db.one(
    sql`select count(*)::int, md5(string_agg(r::text, ',' order by sensor_id, at)) from readings r`,
  )

describe('partitions', () => {
  test('exist for this month and three more, across the end of a year', async () => {
    expect(await names()).toEqual([
      'readings_2030_11',
      'readings_2030_12',
      'readings_2031_01',
      'readings_2031_02',
    ])
    await keep({ at: new Date('2030-12-31T23:59:59.999Z') })
    expect((await names()).at(-1)).toBe('readings_2031_03')
    expect(await countMonthsAhead(database.db, now)).toBeGreaterThanOrEqual(3)
  })

  test('take rows by their month in UTC, whatever the zone of the session', async () => {
    await database.db.transaction(async (tx) => {
      await tx.run(sql`set local timezone to 'Asia/Tokyo'`)
      await tx.run(sql`insert into readings (sensor_id, at) values (1, '2030-12-31 23:59:59.999999+00'),
        (1, '2031-01-01 00:00:00+00'), (1, '2031-01-31 23:59:59.999999+00')`)
      expect((await listPartitions(tx, 'readings')).map(({ from }) => from?.toISOString())).toContain(
        '2031-01-01T00:00:00.000Z',
      )
    })
    expect(await places()).toEqual(['readings_2030_12', 'readings_2031_01', 'readings_2031_01'])
  })

  test('that are missing reject nothing: rows wait in the default one and are moved', async () => {
    await write('2035-07-01T00:00:00.000Z')
    await write('2029-02-28T23:59:59.999Z')
    expect(await places()).toEqual(['readings_default', 'readings_default'])
    expect(await keep()).toEqual([])
    expect(await places()).toEqual(['readings_2029_02', 'readings_2035_07'])
  })

  test('are left for another turn while somebody uses the table, and nobody waits for long', async () => {
    const { db } = database
    await write('2030-11-01T00:00:00.000Z')
    await db.transaction(async (tx) => {
      await tx.rows(sql`select at from readings`)
      const problems = await keep({ at: new Date('2031-06-01T00:00:00.000Z') })
      expect(problems.map(({ table }) => table)).toEqual(['readings'])
    })
    expect(await keep({ at: new Date('2031-06-01T00:00:00.000Z') })).toEqual([])
  })
})

describe('retention', () => {
  beforeEach(async () => {
    for (const at of [
      '2030-08-31T23:59:59.999Z',
      '2030-09-01T00:00:00.000Z',
      '2030-10-15T00:00:00.000Z',
      '2030-11-02T00:00:00.000Z',
    ])
      await write(at)
    await keep()
  })

  test('removes the months that ended before, and only those', async () => {
    await keep({ keptSince: new Date('2030-10-01T00:00:00.000Z') })
    expect(await places()).toEqual(['readings_2030_10', 'readings_2030_11'])
    expect(await database.db.one(sql`select to_regclass('readings_2030_09') as gone`)).toEqual({ gone: null })
  })

  test('keeps a month until its last day is over, and everything without a retention', async () => {
    await keep({ keptSince: new Date('2030-09-30T23:59:59.999Z') })
    expect(await places()).toEqual(['readings_2030_09', 'readings_2030_10', 'readings_2030_11'])
    await keep()
    expect(await places()).toHaveLength(3)
  })

  test('keeps a month with rows that are needed', async () => {
    await write('2030-09-02T00:00:00.000Z', { isOpen: true })
    await keep({ keptSince: new Date('2030-11-01T00:00:00.000Z'), neededWhile: sql`is_open` })
    expect(await places()).toEqual(['readings_2030_09', 'readings_2030_09', 'readings_2030_11'])
  })
})

describe('archives', () => {
  beforeEach(async () => {
    await database.db.run(sql`
      insert into readings (sensor_id, at, value, note)
      select 1 + number % 3, timestamptz '2030-09-01' + number * interval '1 second 1 microsecond', number / 7.0,
        case when number % 2 = 0 then E'line\\nbreak "and" \\\\ é 😀' else 'plain' end
      from generate_series(0, 4999) number`)
    await write('2030-11-02T00:00:00.000Z')
    await keep()
  })
  const expire = (more: Partial<Parameters<typeof keepMonths>[0]> = {}) =>
    keepMonths({
      db: database.db,
      retentions: [{ table: 'readings', keptSince: () => new Date('2030-11-01T00:00:00.000Z') }],
      now,
      archiveDirectory: directory,
      log,
      ...more,
    })
  const archived = async () => (await readdir(directory)).map((file) => join(directory, file))

  test('hold a month exactly: it is gone, and comes back as it was', async () => {
    const before = await contents()
    expect(await expire()).toEqual([])
    expect(await places()).toHaveLength(1)
    const files = await archived()
    expect(files).toEqual([join(directory, 'readings_2030_09.ndjson.gz')])
    expect(await listDetached(database.db)).toEqual([])
    expect(await restoreMonth(database.db, files[0] ?? '')).toEqual({
      partition: 'readings_2030_09',
      rows: 5000,
      orphans: 0,
    })
    expect(await contents()).toEqual(before)
    await write('2030-09-20T00:00:00.000Z')
    expect((await places()).at(-2)).toBe('readings_2030_09')
    await expire()
    expect(await archived()).toHaveLength(2)
  })

  test('come back without what belongs to something that was deleted, and with columns that are new', async () => {
    await expire()
    await database.db.run(sql`delete from sensors where id = 2`)
    await database.db.run(
      sql`alter table readings add column unit text not null default 'V', drop column value`,
    )
    const [file = ''] = await archived()
    expect(await restoreMonth(database.db, file)).toMatchObject({ rows: 3333, orphans: 1667 })
    expect(await database.db.one(sql`select count(*)::int from readings where unit = 'V'`)).toEqual({
      count: 3334,
    })
  })

  test('that were interrupted are written by the next turn', async () => {
    const [partition] = await listPartitions(database.db, 'readings')
    if (!partition) throw new Error('there is no partition')
    await detach(database.db, 'readings', partition)
    await writeFile(join(directory, 'readings_2030_09.ndjson.gz.part'), 'half')
    expect(await places()).toHaveLength(1)
    expect(await expire()).toEqual([])
    expect(await archived()).toEqual([join(directory, 'readings_2030_09.ndjson.gz')])
    expect(await database.db.one(sql`select to_regclass('readings_2030_09') as gone`)).toEqual({ gone: null })
  })

  test('that are damaged bring nothing back', async () => {
    await expire()
    const [file = ''] = await archived()
    await writeFile(`${file}.cut`, (await readFile(file)).subarray(0, 2000))
    await expect(restoreMonth(database.db, `${file}.cut`)).rejects.toThrow()
    expect(await places()).toHaveLength(1)
    expect(await database.db.one(sql`select to_regclass('readings_2030_09') as gone`)).toEqual({ gone: null })
  })

  test('are for the account of the service alone', async () => {
    const inner = join(directory, 'inner')
    await expire({ archiveDirectory: inner })
    const paths = [inner, join(inner, 'readings_2030_09.ndjson.gz')]
    const modes = await Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o777))
    expect(modes).toEqual([0o700, 0o600])
  })

  test('of a month that is in use when it should go leave one file, and not one for each turn', async () => {
    await database.db.transaction(async (tx) => {
      await tx.rows(sql`select id from sensors`)
      const [partition] = await listPartitions(database.db, 'readings')
      if (!partition) throw new Error('there is no partition')
      await detach(database.db, 'readings', partition)
      expect((await expire()).map(({ table }) => table)).toEqual(['readings'])
      expect(await archived()).toEqual([])
    })
    expect(await expire()).toEqual([])
    expect(await archived()).toEqual([join(directory, 'readings_2030_09.ndjson.gz')])
  })

  test('that fail half way leave nothing, and the month stays', async () => {
    const { db } = database
    const rows: typeof db.rows = (statement) =>
      statement.text.includes('archived') ? Promise.reject(new Error('the disk is full')) : db.rows(statement)
    expect((await expire({ db: { ...db, rows } }))[0]?.error).toMatchObject({ message: 'the disk is full' })
    expect(await archived()).toEqual([])
    expect(await db.one(sql`select count(*)::int from readings_2030_09`)).toEqual({ count: 5000 })
  })

  test('stop when another process may have begun with the same', async () => {
    const { db } = database
    const lost = new AbortController()
    const rows: typeof db.rows = (statement) => {
      if (statement.text.includes('archived')) lost.abort()
      return db.rows(statement)
    }
    await expect(expire({ db: { ...db, rows }, signal: lost.signal })).rejects.toThrow('aborted')
    expect(await archived()).toEqual([])
    expect(await db.one(sql`select count(*)::int from readings_2030_09`)).toEqual({ count: 5000 })
  })

  test('that are broken off are no problem of the table, also where they are the last of the turn', async () => {
    const { db } = database
    const [partition] = await listPartitions(db, 'readings')
    if (!partition) throw new Error('there is no partition')
    await detach(db, 'readings', partition)
    const stopping = new AbortController()
    const rows: typeof db.rows = (statement) => {
      if (statement.text.includes('archived')) stopping.abort()
      return db.rows(statement)
    }
    await expect(expire({ db: { ...db, rows }, signal: stopping.signal })).rejects.toThrow('aborted')
    expect(await archived()).toEqual([])
  })

  test('keep the month when they cannot be written', async () => {
    await writeFile(join(directory, 'file'), '')
    const blocked = await expire({ archiveDirectory: join(directory, 'file') })
    expect(blocked.map(({ table }) => table)).toContain('readings')
    expect(await database.db.one(sql`select count(*)::int from readings_2030_09`)).toEqual({ count: 5000 })
    expect(await expire()).toEqual([])
    expect(await archived()).toContain(join(directory, 'readings_2030_09.ndjson.gz'))
  })
})

test('statement triggers with transition tables see what goes to the partitions', async () => {
  const { db } = database
  await db.run(sql`create table if not exists noted (at timestamptz)`)
  await db.run(sql`
    create or replace function note_readings() returns trigger language plpgsql as $$
    begin insert into noted select at from changed; return null; end $$`)
  await db.run(sql`
    create trigger noted after insert on readings referencing new table as changed
    for each statement execute function note_readings()`)
  await db.run(sql`insert into readings (sensor_id, at) values (1, '2030-11-01'), (1, '2031-01-01')`)
  expect(await db.one(sql`select count(*)::int from noted`)).toEqual({ count: 2 })
  expect(await keep({ at: new Date('2031-01-01T00:00:00.000Z') })).toEqual([])
})
