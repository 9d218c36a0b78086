import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Queryable } from '../../platform/db/queryable.ts'
import { REMOVED_AT_ONCE } from '../../platform/db/remove-rows.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createTrimming, KEPT_REQUESTS, TRIMMED_EVERY } from './trimming.ts'

const NOW = new Date('2031-01-01T12:00:00.000Z')

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.db.run(sql`truncate request_log`))
afterAll(() => database.close())

const record = (ownerId: string, count: number) =>
  database.db.run(sql`
    insert into request_log (id, owner_id, request_id, method, path, status, duration_ms, caller_kind, caller_id, created_at)
    select ${ownerId} || number, ${ownerId}, 'r', 'GET', '/api/jobs', 200, 1, 'API_KEY', 'key',
      ${NOW}::timestamptz - number * interval '1 millisecond'
    from generate_series(1, ${count}::integer) number`)
const countOf = async (ownerId: string) =>
  (
    await database.db.one<{ count: number }>(
      sql`select count(*)::integer as count from request_log where owner_id = ${ownerId}`,
    )
  ).count
const silent = pino({ level: 'silent' })
const drawn = () => 0
const notDrawn = () => 1 / TRIMMED_EVERY

test('removes the oldest of who was drawn, and nothing of anybody else', async () => {
  await record('ada', KEPT_REQUESTS + 5)
  await record('bea', KEPT_REQUESTS + 5)
  const lots = [notDrawn(), drawn(), notDrawn()]
  const trimAfter = createTrimming({ db: database.db, log: silent, random: () => lots.shift() ?? 1 })
  await trimAfter([{ ownerId: 'bea' }, { ownerId: 'ada' }, { ownerId: 'bea' }])
  expect([await countOf('ada'), await countOf('bea')]).toEqual([KEPT_REQUESTS, KEPT_REQUESTS + 5])
  const [oldest] = await database.db.rows<{ id: string }>(
    sql`select id from request_log where owner_id = 'ada' order by created_at limit 1`,
  )
  expect(oldest?.id).toBe(`ada${KEPT_REQUESTS}`)
})

test('removes so many at once, because a statement may take ten seconds', async () => {
  await record('ada', KEPT_REQUESTS + REMOVED_AT_ONCE + 5)
  const trimAfter = createTrimming({ db: database.db, log: silent, random: drawn })
  await trimAfter([{ ownerId: 'ada' }, { ownerId: 'ada' }])
  expect(await countOf('ada')).toBe(KEPT_REQUESTS + 5)
  await trimAfter([{ ownerId: 'ada' }])
  expect(await countOf('ada')).toBe(KEPT_REQUESTS)
})

test('an owner whose requests cannot be removed is in a warning, and costs no other one anything', async () => {
  const trimmed: string[] = []
  const warnings: string[] = []
  const failing: Queryable = {
    ...database.db,
    async run({ values }: Sql) {
      if (values.includes('ada')) throw new Error('canceling statement due to statement timeout')
      trimmed.push(String(values[0]))
      return 0
    },
  }
  const log = pino(
    { level: 'warn' },
    { write: (line: string) => void warnings.push(JSON.parse(line).ownerId) },
  )
  await createTrimming({ db: failing, log, random: drawn })([{ ownerId: 'ada' }, { ownerId: 'bea' }])
  expect([trimmed, warnings]).toEqual([['bea'], ['ada']])
})

test('one of a thousand is drawn', async () => {
  const trimmed: string[] = []
  const noting: Queryable = { ...database.db, run: async ({ values }) => trimmed.push(String(values[0])) }
  let next = 0
  const evenly = () => (next++ % 4_000) / 4_000
  const recorded = Array.from({ length: 4_000 }, (_, index) => ({ ownerId: `owner${index}` }))
  await createTrimming({ db: noting, log: silent, random: evenly })(recorded)
  expect(trimmed).toHaveLength(4)
})
