import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createRequestLog, REMOVED_AT_ONCE } from './service.ts'
import { findRecorders } from './store.ts'

const OWNERS = ['ada', 'bea', 'cyd']
const REQUESTS_OF_EACH = 2_000
const NOW = new Date('2031-01-01T12:00:00.000Z')
const minutesAgo = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.run(sql`
    insert into request_log (id, owner_id, request_id, method, path, status, duration_ms, caller_kind, caller_id, created_at)
    select owner || number, owner, 'r', 'GET', '/api/jobs', 200, 1, 'API_KEY', 'key', ${NOW}::timestamptz
    from unnest(${OWNERS}::text[]) owner, generate_series(1, ${REQUESTS_OF_EACH}::integer) number`)
  await database.db.run(sql`
    insert into request_log (id, owner_id, request_id, method, path, status, duration_ms, caller_kind, caller_id, created_at)
    values ('bob1', 'bob', 'r', 'GET', '/api/jobs', 200, 1, 'API_KEY', 'key', ${minutesAgo(180)})`)
  await database.db.run(sql`analyze request_log`)
})
afterAll(() => database.close())

/** A log whose deletions are `remove`: it gets the owner, and returns how many it has removed. */
function logWhere(remove: (ownerId: string) => number) {
  const trimmed: string[] = []
  const warnings: string[] = []
  const db: Queryable = {
    ...database.db,
    async run({ values }: Sql) {
      const owner = OWNERS.find((id) => values.flat().includes(id)) ?? 'nobody'
      trimmed.push(owner)
      return remove(owner)
    },
  }
  const log = pino(
    { level: 'warn' },
    { write: (line: string) => void warnings.push(JSON.parse(line).ownerId) },
  )
  const requestLog = createRequestLog({
    db,
    clock: { now: () => NOW },
    newId: () => 'id',
    log,
    cursorSecret: 's'.repeat(32),
    days: 7,
  })
  return { trim: requestLog.trim, trimmed, warnings }
}
const running = new AbortController().signal

test('an owner whose requests cannot be removed is in a warning, and keeps no other one waiting', async () => {
  const { trim, trimmed, warnings } = logWhere((ownerId) => {
    if (ownerId === 'ada') throw new Error('canceling statement due to statement timeout')
    return 0
  })
  await trim(running)
  expect([trimmed, warnings]).toEqual([['ada', 'bea', 'cyd'], ['ada']])
})

test('an owner with many to remove costs no other one anything', async () => {
  let left = 2
  const { trim, trimmed } = logWhere((ownerId) => (ownerId === 'ada' && left-- > 0 ? REMOVED_AT_ONCE : 0))
  await trim(running)
  expect(trimmed).toEqual(['ada', 'ada', 'ada', 'bea', 'cyd'])
})

test('a turn that is ended removes no more, and the next one begins with the owner at whom it ended', async () => {
  const stopping = new AbortController()
  const { trim, trimmed } = logWhere((ownerId) => {
    if (ownerId !== 'bea' || stopping.signal.aborted) return 0
    stopping.abort()
    return REMOVED_AT_ONCE
  })
  await trim(stopping.signal)
  expect(trimmed.splice(0)).toEqual(['ada', 'bea'])
  await trim(running)
  expect(trimmed.splice(0)).toEqual(['bea', 'cyd', 'ada'])
  await trim(running)
  expect(trimmed).toEqual(['bea', 'cyd', 'ada'])
})

test('who has recorded some lately is found without reading what each of them has recorded', async () => {
  const since = minutesAgo(120)
  expect(await findRecorders(database.db, since)).toEqual(OWNERS)
  let read = Number.NaN
  const rows = async <Row>(statement: Sql): Promise<Row[]> => {
    const [plan] = await database.db.rows<{ 'QUERY PLAN': unknown }>(
      sql`explain (analyze, timing off, format json) ${statement}`,
    )
    const actual = [...JSON.stringify(plan).matchAll(/"Actual Rows":([\d.]+),"Actual Loops":(\d+)/g)]
    read = Math.max(...actual.map(([, each, loops]) => Number(each) * Number(loops)))
    return []
  }
  await findRecorders({ ...database.db, rows }, since)
  expect(read).toBeLessThan(20)
})
