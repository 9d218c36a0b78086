import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepMonths } from '../../platform/db/months/keep-months.ts'
import { scannedPartitions } from '../../testing/plans.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { insertRequests, listRequests, type NewRequest } from './store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const keep = (now: Date) =>
  keepMonths({
    db: database.db,
    retentions: [],
    now,
    archiveDirectory: undefined,
    log: pino({ level: 'silent' }),
  })

const requestAt = (id: string, createdAt: Date): NewRequest => ({
  id,
  ownerId: 'ada',
  requestId: 'r',
  method: 'GET',
  path: '/api/jobs',
  status: 200,
  errorCode: null,
  durationMs: 1,
  callerKind: 'API_KEY',
  callerId: 'key',
  createdAt,
})

const filter = {
  ownerId: 'ada',
  status: undefined,
  method: undefined,
  path: undefined,
  caller: undefined,
  requestId: undefined,
}

test('the list of a week looks into its months alone, and a batch that comes twice is there once', async () => {
  const { db } = database
  for (const month of [0, 4, 8]) await keep(new Date(Date.UTC(2030, month, 15)))
  const batch = [
    requestAt('june', new Date('2030-06-10T00:00:00.000Z')),
    requestAt('december', new Date('2030-12-31T23:59:59.999Z')),
    requestAt('january', new Date('2031-01-01T00:00:00.000Z')),
  ]
  expect([await insertRequests(db, batch), await insertRequests(db, batch)]).toEqual([3, 0])
  const page = { since: new Date('2030-12-28T00:00:00.000Z'), before: undefined, limit: 10 }
  expect((await listRequests(db, filter, page)).map(({ id }) => id)).toEqual(['january', 'december'])
  const scanned = await scannedPartitions(db, (reader) => listRequests(reader, filter, page))
  expect(scanned.filter((name) => name.startsWith('request_log'))).toEqual([
    'request_log_2030_12',
    'request_log_default',
  ])
  expect(scanned).not.toContain('api_requests')
})
