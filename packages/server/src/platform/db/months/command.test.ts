import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { withLease } from '../../queue/lease.ts'
import { sql } from '../sql.ts'
import { keepMonths, MONTHS_LEASE } from './keep-months.ts'

const script = join(import.meta.dirname, '../../../../scripts/archive.ts')
let database: TestDatabase
let directory: string
beforeAll(async () => {
  database = await createTestDatabase()
  directory = await mkdtemp(join(tmpdir(), 'archive-'))
})
afterAll(async () => {
  await database.close()
  await rm(directory, { recursive: true })
})

function databaseUrl(): string {
  const { host = '', port = 5432, user = '', password, database: name } = database.connection
  const credentials = typeof password === 'string' ? `${user}:${password}` : user
  return `postgres://${credentials}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
}

/** Runs the command as a process of its own. */
async function archive(...options: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [script, ...options], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: join(directory, 'data'),
      DATABASE_URL: databaseUrl(),
      ARCHIVE_DIR: directory,
    },
    stdio: 'pipe',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  return { code, output }
}

const keep = () =>
  keepMonths({
    db: database.db,
    retentions: [],
    now: new Date(),
    archiveDirectory: undefined,
    log: pino({ level: 'silent' }),
  })

const days = () => database.db.rows(sql`select day from agent_views order by day`)

test('old months are written to files beside a running service, and one is brought back', async () => {
  const { db } = database
  await db.run(sql`drop table agent_views_first`)
  await db.run(sql`
    insert into agent_views (agent_id, day, profile_views, hire_forms)
    values ('a', '2024-01-31', 1, 0), ('a', '2024-02-01', 2, 0), ('b', '2024-02-29', 3, 1)`)
  await keep()
  expect(await archive()).toMatchObject({ code: 1, output: expect.stringContaining('--before 2026-01') })
  expect(await archive('--before', '2999-01')).toMatchObject({
    code: 1,
    output: 'This month and the one before it stay.\n',
  })
  expect(await archive('--before', '2024-01')).toEqual({
    code: 0,
    output: 'Nothing that can go ended before 2024-01.\n',
  })

  const { code, output } = await archive('--before', '2024-03', '--table', 'agent_views')
  expect([code, output.split('\n').map((line) => line.split(' in ')[0])]).toEqual([
    0,
    ['agent_views_2024_01: 1 rows', 'agent_views_2024_02: 2 rows', ''],
  ])
  expect(await days()).toEqual([])
  expect(await archive('--restore', join(directory, 'agent_views_2024_02.ndjson.gz'))).toEqual({
    code: 0,
    output: 'agent_views_2024_02: 2 rows are back, 0 belong to what was deleted since.\n',
  })
  expect(await days()).toEqual([{ day: '2024-02-01' }, { day: '2024-02-29' }])
})

test('the command lets a worker finish that is busy with the months', async () => {
  await withLease({
    db: database.db,
    name: MONTHS_LEASE,
    work: async () =>
      expect(await archive('--before', '2024-01')).toEqual({
        code: 1,
        output: 'A worker is busy with its months. Try again in a minute.\n',
      }),
  })
})

test('a month with a delivery that is still to be sent stays', async () => {
  const { db } = database
  await db.run(sql`drop table webhook_deliveries_first`)
  await db.run(sql`insert into owners (id, wallet_address, created_at) values ('ada', '0x1', now())`)
  await db.run(sql`
    insert into webhooks (id, owner_id, url, events, description, sealed_secret, created_at)
    values ('hook', 'ada', 'https://example.com', '{}', '', '', now())`)
  await db.run(sql`
    insert into webhook_deliveries (id, webhook_id, event_id, event_type, body, status, next_attempt_at, created_at)
    values ('late', 'hook', 'e1', 'job.created', '{}', 'PENDING', '2024-01-09', '2024-01-09'),
      ('done', 'hook', 'e2', 'job.created', '{}', 'DELIVERED', null, '2024-02-09')`)
  await keep()
  const { output } = await archive('--before', '2024-03', '--table', 'webhook_deliveries')
  expect(output).toMatch(/^webhook_deliveries_2024_02: 1 rows in .*\n$/)
  expect(await db.rows(sql`select id from webhook_deliveries`)).toEqual([{ id: 'late' }])
})
