import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscriptionsRoutes } from '../../../server/src/features/subscriptions/routes.ts'
import {
  createSubscriptionWorld,
  type Subscriber,
} from '../../../server/src/features/subscriptions/testing/subscription-world.ts'
import { startChaosChain } from '../../../server/src/money/testing/chaos-chain.ts'
import { createIdempotency } from '../../../server/src/platform/http/idempotency.ts'
import { createTestDatabase } from '../../../server/src/testing/test-database.ts'
import { createTestHttp, tokenFor } from '../../../server/src/testing/test-http.ts'
import { createMarketplaceClient, type MarketplaceClient } from '../index.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
}, 60_000)
afterAll(() => world.close())

/** Subscriptions on a real database and a real EVM, behind a real socket. */
async function startWorld() {
  const [database, chaos] = await Promise.all([createTestDatabase({ poolSize: 10 }), startChaosChain()])
  const { db } = database
  const { startWorker, newSubscriber } = await createSubscriptionWorld({ db, chaos })
  const { engine, subscriptions } = startWorker()
  await engine.start()
  const idempotency = createIdempotency({ db, clock: { now: () => new Date() } })
  const http = await createTestHttp(subscriptionsRoutes({ subscriptions }), { db, idempotency })
  return {
    facts: chaos.chain.facts,
    newSubscriber,
    baseUrl: await http.app.listen({ host: '127.0.0.1', port: 0 }),
    async close() {
      await engine.stop()
      await http.close()
      await database.close()
      await chaos.close()
    },
  }
}

/** The world has subscriptions alone, so the facts of its chain are handed out here. */
function clientOf({ key, ownerId }: Subscriber, told: { usdc?: string } = {}): MarketplaceClient {
  const { chainId, spender, contracts } = world.facts
  const usdc = told.usdc ?? contracts.usdc
  const config = { chain: { id: chainId }, contracts: { ...contracts, usdc }, spender }
  return createMarketplaceClient({
    baseUrl: world.baseUrl,
    account: key,
    apiKey: tokenFor({ ownerId, kycStatus: 'VERIFIED' }),
    fetch: async (input, init) =>
      String(input).endsWith('/api/config') ? Response.json({ data: config }) : fetch(input, init),
  })
}

test('a smart account subscribes, upgrades and cancels with signatures alone', async () => {
  const subscriber = await world.newSubscriber()
  const client = clientOf(subscriber)
  const payer = subscriber.account
  const subscribed = await client.subscribe({ plan: 'AGENT_QUOTA', agentQuota: 10 }, { payer })
  expect([subscribed.plan, subscribed.status]).toEqual(['AGENT_QUOTA', 'ACTIVE'])

  const quote = await client.quoteSubscription({ plan: 'AGENT_QUOTA', agentQuota: 20 })
  expect([quote.upgrade, quote.price]).toEqual([true, '18500000'])
  expect((await client.upgradeSubscription(20, { payer })).agentQuota).toBe(20)
  expect((await client.getSubscription()).agentQuota).toBe(20)
  expect((await client.cancelSubscription()).status).toBe('CANCELED')
  expect((await client.cancelSubscription()).status).toBe('CANCELED')
})

test('a plain wallet cannot be pulled from, and is told so', async () => {
  const other = await world.newSubscriber(0n)
  const attempt = clientOf(other).subscribe({ plan: 'PREMIUM_LISTING' })
  await expect(attempt).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
})

test('a permission for another token is not signed', async () => {
  const other = await world.newSubscriber(0n)
  const stranger = '0x00000000000000000000000000000000000000Ff'
  const attempt = clientOf(other, { usdc: stranger }).subscribe({ plan: 'PREMIUM_LISTING' })
  await expect(attempt).rejects.toMatchObject({
    code: 'UNEXPECTED_PAYMENT',
    details: { differences: ['token'] },
  })
})
