import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../platform/db/database.ts'
import { plansOf } from '../../testing/plans.ts'
import { createTestClock } from '../../testing/test-clock.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createActivity } from './activity.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

test('the figures by day are read by time, and not from all of history', async () => {
  // A table as small as here would be read as a whole.
  const connection = { ...database.connection, options: '-c enable_seqscan=off -c enable_bitmapscan=off' }
  const db = createDatabase({ connection, poolSize: 2, log: pino({ level: 'silent' }) })
  const plans = await plansOf(db, (reader) => createActivity({ db: reader, clock: createTestClock() })(30))
  expect(plans).toMatch(/using job_events_funded on job_events\b.*\n\s+Index Cond: \(created_at >= /)
  expect(plans).toMatch(/using journal_entries_jobs_at on journal_entries\b.*\n\s+Index Cond: \(at >= /)
  await db.close()
})
