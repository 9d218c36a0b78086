import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChaosChain, startChaosChain } from '../../../money/testing/chaos-chain.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { measurePullExactness } from '../testing/pull-exactness.ts'

let database: TestDatabase
let chaos: ChaosChain
beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 25 })
  chaos = await startChaosChain()
})
afterAll(async () => {
  await database.close()
  await chaos.close()
})

test('two workers, killed again and again, pull every period of every subscription once', async () => {
  const seed = 20_261_115
  const measured = await measurePullExactness({ db: database.db, chaos, subscriptions: 10, periods: 6, seed })
  expect(measured).toMatchObject({
    pullsOnChain: 60,
    pullsInBooks: 60,
    entriesInJournal: 60,
    extra: 0,
    missing: 0,
    breaches: 0,
  })
  expect(measured.crashes).toBeGreaterThan(0)
})
