import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createTestClock } from '../../../testing/test-clock.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { createScores } from './scores.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.transaction(async (tx) => {
    // These agents do not exist.
    await tx.run(sql`set local session_replication_role = replica`)
    await tx.run(sql`insert into agent_scores_due (agent_id) values ('cone'), ('ctwo'), ('cthree')`)
  })
})
afterAll(() => database.close())

test('a process that stops scores no further agent', async () => {
  const stopping = new AbortController()
  let scored = 0
  const db: Database = {
    ...database.db,
    transaction(work) {
      scored += 1
      stopping.abort()
      return database.db.transaction(work)
    },
  }
  const scores = createScores({
    db,
    clock: createTestClock(),
    intents: {
      create: async () => {
        throw new Error('no intent is expected')
      },
    },
    addJobToTotals: async () => undefined,
    addPaymentToTotals: async () => undefined,
  })
  await expect(scores.runDue(stopping.signal)).rejects.toMatchObject({ name: 'AbortError' })
  expect(scored).toBe(1)
})
