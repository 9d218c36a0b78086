import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { migrate, migrationsDirectory } from '../migrate.ts'
import { sql } from '../sql.ts'
import { keepMonths } from './keep-months.ts'
import { listPartitions } from './partitions.ts'

/** The last schema without partitions. */
const WHOLE_TABLES = 82
const ROWS = 2_000

const log = pino({ level: 'silent' })
let database: TestDatabase
let early: string

beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 25 })
  early = await mkdtemp(join(tmpdir(), 'whole-tables-'))
  const files = (await readdir(migrationsDirectory)).filter((file) => file.endsWith('.sql')).sort()
  for (const file of files.slice(0, WHOLE_TABLES))
    await cp(join(migrationsDirectory, file), join(early, file))
  await database.db.run(sql`drop schema public cascade`)
  await database.db.run(sql`create schema public`)
  await migrate({ connection: database.connection, directory: early, log })
  await fill()
})
afterAll(async () => {
  await database.close()
  await rm(early, { recursive: true })
})

async function fill(): Promise<void> {
  const { db } = database
  await db.run(sql`insert into owners (id, wallet_address, created_at) values ('ada', '0x1', now())`)
  await db.run(sql`
    insert into webhooks (id, owner_id, url, events, description, sealed_secret, created_at)
    values ('hook', 'ada', 'https://example.com', '{}', '', '', now()), ('gone', 'ada', 'https://example.com', '{}', '', '', now())`)
  await db.run(sql`
    insert into webhook_deliveries (id, webhook_id, event_id, event_type, body, status, created_at)
    select 'early' || n, case when n % 10 = 0 then 'gone' else 'hook' end, 'evt' || n, 'job.created', '{}', 'DELIVERED',
      now() - n * interval '1 hour' from generate_series(1, ${ROWS}::int) n`)
  await db.run(sql`
    insert into api_requests (id, owner_id, request_id, method, path, status, duration_ms, caller_kind, caller_id, created_at)
    select 'early' || n, 'ada', 'r' || n, 'GET', '/api/jobs', 200, 1.5, 'API_KEY', 'key', now() - n * interval '1 hour'
    from generate_series(1, ${ROWS}::int) n`)
  await db.run(sql`
    insert into agent_views (agent_id, day, profile_views, hire_forms)
    select 'agent' || n % 10, current_date - n / 10, 1, 1 from generate_series(0, ${ROWS - 1}::int) n`)
}

/** What the version before does, as it does it. */
const earlier = {
  deliver: (id: string) =>
    database.db.run(sql`
      insert into webhook_deliveries
        (id, webhook_id, event_id, event_type, body, is_ordered, next_attempt_at, created_at)
      values (${id}, 'hook', 'evt', 'job.created', '{}', false, now(), now())`),
  conclude: (id: string) =>
    database.db.run(sql`
      update webhook_deliveries set status = 'DELIVERED', attempts = 1, next_attempt_at = null
      where id = ${id} and status = 'PENDING' and attempts = 0`),
  log: (id: string) =>
    database.db.run(sql`
      insert into api_requests (id, owner_id, request_id, method, path, status, error_code, duration_ms, caller_kind,
        caller_id, created_at)
      values (${id}, 'ada', 'r', 'GET', '/api/jobs', 200, null, 1, 'API_KEY', 'key', now())
      on conflict (id) do nothing`),
  view: () =>
    database.db.run(sql`
      insert into agent_views (agent_id, day, profile_views, hire_forms) values ('busy', current_date, 1, 0)
      on conflict (agent_id, day) do update set profile_views = agent_views.profile_views + excluded.profile_views,
        hire_forms = agent_views.hire_forms + excluded.hire_forms`),
  clean: () =>
    database.db.run(
      sql`delete from webhook_deliveries where created_at < now() - interval '30 days' and status <> 'PENDING'`,
    ),
}

test('tables with data become partitioned under writers of the version before, and no write is lost', async () => {
  const { db } = database
  let isOver = false
  let rounds = 0
  async function work(writer: number): Promise<number> {
    let count = 0
    for (; !isOver || count < 5; count += 1) {
      const id = `writer${writer}-${count}`
      expect([await earlier.deliver(id), await earlier.conclude(id)]).toEqual([1, 1])
      expect(await earlier.log(id)).toBe(1)
      expect(await earlier.log(id)).toBe(0)
      await earlier.view()
      rounds += 1
    }
    return count
  }
  const writers = [1, 2, 3, 4].map(work)
  await expect.poll(() => rounds, { interval: 5 }).toBeGreaterThan(20)
  await migrate({ connection: database.connection, directory: migrationsDirectory, log })
  isOver = true
  const written = (await Promise.all(writers)).reduce((sum, count) => sum + count, 0)

  const counts = await db.one(sql`
    select (select count(*)::int from webhook_deliveries) as deliveries,
      (select count(distinct seq)::int from webhook_deliveries) as numbers,
      (select count(*)::int from webhook_deliveries where status = 'PENDING') as pending,
      (select count(*)::int from request_log) as requests,
      (select count(distinct seq)::int from request_log) as places,
      (select profile_views from agent_views where agent_id = 'busy') as views,
      (select sum(profile_views)::int from agent_views) as all_views`)
  expect(counts).toEqual({
    deliveries: ROWS + written,
    numbers: ROWS + written,
    pending: 0,
    requests: ROWS + written,
    places: ROWS + written,
    views: written,
    allViews: ROWS + written,
  })
})

test('attaching has built no index: each partition had its own', async () => {
  const rows = await database.db.rows<{ table: string; indexes: string[] }>(sql`
    select c.relname as table, array_agg(x.relname::text order by x.relname) as indexes
    from pg_class c join pg_index i on i.indrelid = c.oid join pg_class x on x.oid = i.indexrelid
    where c.relname in ('api_requests', 'agent_views_first', 'webhook_deliveries_first') group by 1 order by 1`)
  expect(rows).toEqual([
    { table: 'agent_views_first', indexes: ['agent_views_first_age', 'agent_views_first_pkey'] },
    {
      table: 'api_requests',
      indexes: [
        'api_requests_age',
        'api_requests_failed',
        'api_requests_key',
        'api_requests_owner',
        'api_requests_pkey',
        'api_requests_request',
      ],
    },
    {
      table: 'webhook_deliveries_first',
      indexes: [
        'webhook_deliveries_created_at',
        'webhook_deliveries_first_event',
        'webhook_deliveries_first_key',
        'webhook_deliveries_first_log',
        'webhook_deliveries_first_ordered',
        'webhook_deliveries_first_pkey',
        'webhook_deliveries_first_waiting',
      ],
    },
  ])
})

test('what one version writes the other one reads, until the first month after the bound', async () => {
  const { db } = database
  await db.run(sql`
    insert into request_log (id, owner_id, request_id, method, path, status, duration_ms, caller_kind, caller_id, created_at)
    values ('new', 'ada', 'r', 'GET', '/api/jobs', 200, 1, 'API_KEY', 'key', now())`)
  expect(await db.rows(sql`select id from api_requests where id = 'new'`)).toHaveLength(1)
  const [first] = await listPartitions(db, 'request_log')
  expect(first).toMatchObject({ name: 'api_requests', from: null })
  expect(first && first.to.getTime() - Date.now()).toBeGreaterThan(27 * 24 * 3600 * 1000)
  expect(await earlier.clean()).toBeGreaterThan(0)
})

test('the parent gives later rows larger numbers, and owns what they come from', async () => {
  const { db } = database
  const { isLarger } = await db.one<{ isLarger: boolean }>(sql`
    select (select min(seq) from webhook_deliveries where id like 'writer%')
      > (select max(seq) from webhook_deliveries where id like 'early%') as is_larger`)
  expect(isLarger).toBe(true)
  const [first] = await listPartitions(db, 'webhook_deliveries')
  await keepMonths({
    db,
    retentions: [{ table: 'webhook_deliveries', keptSince: () => first?.to }],
    now: new Date(),
    archiveDirectory: undefined,
    log,
  })
  expect(await db.rows(sql`select id from webhook_deliveries`)).toEqual([])
  expect(await earlier.deliver('after')).toBe(1)
  // A webhook that is deleted takes its deliveries with it, in whichever month they are.
  await db.run(sql`delete from webhooks where id = 'hook'`)
  expect(await db.rows(sql`select id from webhook_deliveries`)).toEqual([])
})
