import { afterAll, beforeAll, expect, test } from 'vitest'
import { measurePullExactness } from '../testing/pull-exactness.ts'
import { type SubscriptionsApi, startSubscriptions } from '../testing/start-subscriptions.ts'

let api: SubscriptionsApi
beforeAll(async () => {
  api = await startSubscriptions({ waitMs: 0 })
})
afterAll(() => api.close())

test('two workers, killed again and again, pull every period of every subscription once', async () => {
  const seed = 20_261_115
  const measured = await measurePullExactness(api, { subscriptions: 5, periods: 6, seed })
  expect(measured).toMatchObject({
    pullsOnChain: 30,
    pullsInBooks: 30,
    entriesInJournal: 30,
    extra: 0,
    missing: 0,
    breaches: 0,
  })
  expect(measured.crashes).toBeGreaterThan(0)
})
