import { smartWalletAbi, spendPermissionManagerAbi, usdcAbi } from '@agent-marketplace/chain'
import { priceForQuota } from '@agent-marketplace/contract'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FaultPoint } from '../../../money/faults.ts'
import { type ChaosChain, startChaosChain } from '../../../money/testing/chaos-chain.ts'
import { sql } from '../../../platform/db/sql.ts'
import { crashOnce } from '../../../testing/crash-once.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { quotaOf } from '../access.ts'
import { PERIOD } from '../testing/subscribers.ts'
import {
  createSubscriptionWorld,
  type Subscriber,
  type SubscriptionWorld,
  type Worker,
} from '../testing/subscription-world.ts'

let database: TestDatabase
let chaos: ChaosChain
let world: SubscriptionWorld
let worker: Worker
beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 25 })
  chaos = await startChaosChain()
  world = await createSubscriptionWorld({ db: database.db, chaos })
  worker = world.startWorker()
})
afterAll(async () => {
  const breaches = await world.findBreaches()
  await database.close()
  await chaos.close()
  expect(breaches).toEqual([])
})

const PRICE = priceForQuota(10)

/** Decides, without carrying out: the engine works only when a test says so. */
async function place(subscriber: Subscriber, agentQuota = 10, start?: number) {
  const { subscriptions } = worker
  const allowance = priceForQuota(agentQuota).toString()
  const changes = { allowance, ...(start === undefined ? {} : { start }) }
  const body = await subscriber.body(changes, { agentQuota })
  const input = { ownerId: subscriber.ownerId, requestId: 'r1', isUpgrade: start !== undefined, body }
  const steps = subscriptions.order(input)
  const order = await steps.prepare()
  const row = await database.db.transaction((tx) => steps.decide(tx, order))
  return { ...order, conclude: () => steps.conclude(order, row) }
}

async function restart(): Promise<void> {
  const { engine } = world.startWorker()
  // What was prepared and not stored waits out a short pause before anyone tries it again.
  await database.db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)
  await engine.runUntilIdle()
}

const find = (subscriber: Subscriber) => worker.subscriptions.find(subscriber.ownerId, undefined)
const pulled = ({ account }: Subscriber) => world.pulledFrom(account.address)
const quota = async ({ ownerId }: Subscriber) =>
  (await quotaOf(database.db, ownerId, world.clock.now())).quota

const newestIntent = ({ ownerId }: Subscriber) =>
  database.db.one<{ status: string }>(sql`
    select i.status from intents i join subscription_pulls u on u.intent_id = i.id
    join subscriptions s on s.id = u.subscription_id where s.owner_id = ${ownerId} order by i.seq desc limit 1`)

/** The issuer blocks the account: the check has passed already. */
const block = (subscriber: Subscriber) => {
  const data = encodeFunctionData({
    abi: usdcAbi,
    functionName: 'blacklist',
    args: [subscriber.account.address],
  })
  return world.execute(chaos.roles.faucet, { to: chaos.addresses.usdc, data, value: 0n })
}

const crashPoints: FaultPoint[] = [
  'intent.claimed',
  'transaction.storing',
  'transaction.stored',
  'transaction.sent',
  'settlement.read',
  'settlement.storing',
  'settlement.stored',
]

describe.each(crashPoints)('a crash at %s', (point) => {
  const crash = () =>
    expect(world.startWorker(crashOnce(point)).engine.runUntilIdle()).rejects.toThrow('crashed')

  test('subscribes, renews and upgrades once, and never charges with the old quota', async () => {
    const subscriber = await world.newSubscriber()
    const { permission } = await place(subscriber)
    await crash()
    await restart()
    expect(await find(subscriber)).toMatchObject({ status: 'ACTIVE' })
    expect(await pulled(subscriber)).toEqual({ chain: PRICE, journal: PRICE })

    await chaos.mine(permission.start + PERIOD - chaos.now())
    await worker.subscriptions.runDue()
    await world.startWorker().subscriptions.runDue()
    const before = await find(subscriber)
    await crash()
    const during = await find(subscriber)
    // The dates move with the confirmation, and only with it.
    const isConfirmed = (await pulled(subscriber)).journal === 2n * PRICE
    if (!isConfirmed) expect(during.nextPullAt).toEqual(before.nextPullAt)
    await restart()
    expect(await pulled(subscriber)).toEqual({ chain: 2n * PRICE, journal: 2n * PRICE })

    await place(subscriber, 20, permission.start + PERIOD)
    await crash()
    const charged = (await pulled(subscriber)).journal > 2n * PRICE
    expect(await quota(subscriber)).toBe(charged ? 20 : 10)
    await restart()
    expect(await find(subscriber)).toMatchObject({ status: 'ACTIVE', agentQuota: 20 })
    const { chain, journal } = await pulled(subscriber)
    expect(journal).toBe(chain)
    expect(chain).toBeGreaterThan(2n * PRICE)
    expect(chain).toBeLessThanOrEqual(PRICE + priceForQuota(20))
  })
})

test.each(['response lost', 'doubled', 'dropped', 'forgotten'] as const)(
  'a broadcast that is %s pulls once',
  async (weather) => {
    const subscriber = await world.newSubscriber()
    await place(subscriber)
    chaos.setWeather(weather)
    await worker.engine.runOnce()
    chaos.setWeather('fair')
    await worker.engine.runUntilIdle()
    expect(await find(subscriber)).toMatchObject({ status: 'ACTIVE' })
    expect(await pulled(subscriber)).toEqual({ chain: PRICE, journal: PRICE })
  },
)

test('a reorganisation takes a renewal back, dates and all, and it is pulled again once', async () => {
  const subscriber = await world.newSubscriber()
  const { permission } = await place(subscriber)
  await worker.engine.runUntilIdle()
  const paidOnce = await find(subscriber)
  await chaos.mine(permission.start + PERIOD - chaos.now())
  await worker.subscriptions.runDue()
  await worker.engine.runUntilIdle()
  const paidTwice = await find(subscriber)

  await chaos.reorganise(1, () => false)
  chaos.setWeather('forgotten')
  await worker.engine.runOnce()
  await worker.engine.runOnce()
  expect(await find(subscriber)).toEqual(paidOnce)
  expect(await pulled(subscriber)).toEqual({ chain: PRICE, journal: PRICE })
  await worker.subscriptions.runDue()

  chaos.setWeather('fair')
  await worker.engine.runUntilIdle()
  const { lastPullAt: _later, ...rest } = paidTwice
  expect(await find(subscriber)).toMatchObject(rest)
  expect(await pulled(subscriber)).toEqual({ chain: 2n * PRICE, journal: 2n * PRICE })
})

test('a reorganisation takes an upgrade back, quota and all', async () => {
  const subscriber = await world.newSubscriber()
  const { permission } = await place(subscriber)
  await worker.engine.runUntilIdle()
  await place(subscriber, 20, permission.start)
  await worker.engine.runUntilIdle()
  expect(await quota(subscriber)).toBe(20)
  // The revocation of the old permission, and the charge before it.
  await chaos.reorganise(2, () => false)
  chaos.setWeather('forgotten')
  await worker.engine.runOnce()
  await worker.engine.runOnce()
  expect(await quota(subscriber)).toBe(10)
  chaos.setWeather('fair')
  await worker.engine.runUntilIdle()
  expect(await quota(subscriber)).toBe(20)
  const { chain, journal } = await pulled(subscriber)
  expect(journal).toBe(chain)
})

describe('money that is gone between the check and the pull', () => {
  test('leaves no subscription', async () => {
    const subscriber = await world.newSubscriber()
    const order = await place(subscriber)
    await block(subscriber)
    await worker.engine.runUntilIdle()
    await expect(order.conclude()).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    await expect(find(subscriber)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await world.chain.spendPermissions.isRevoked(order.permission)).toBe(true)
    expect(await pulled(subscriber)).toEqual({ chain: 0n, journal: 0n })
  })

  test('leaves the old subscription as it was', async () => {
    const subscriber = await world.newSubscriber()
    const { permission } = await place(subscriber)
    await worker.engine.runUntilIdle()
    const before = await find(subscriber)
    const order = await place(subscriber, 20, permission.start)
    await block(subscriber)
    await worker.engine.runUntilIdle()
    await expect(order.conclude()).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    expect(await find(subscriber)).toEqual(before)
    expect(await world.chain.spendPermissions.isRevoked(permission)).toBe(false)
    expect(await pulled(subscriber)).toEqual({ chain: PRICE, journal: PRICE })
  })
})

test('an upgrade that a fork takes back and that is refused then leaves the old subscription as it was', async () => {
  const subscriber = await world.newSubscriber()
  const { permission } = await place(subscriber)
  await worker.engine.runUntilIdle()
  const before = await find(subscriber)
  const order = await place(subscriber, 20, permission.start)
  while ((await quota(subscriber)) < 20) await worker.engine.runOnce()
  // The revocation of the old permission is still with a worker that is slow.
  await database.db.run(sql`
    update intents set claimed_until = 'infinity' where kind = 'subscription.revoke' and status = 'PENDING'`)
  chaos.setWeather('dropped')
  await chaos.reorganise(1, () => false)
  await worker.engine.runOnce()
  expect(await quota(subscriber)).toBe(10)
  chaos.setWeather('fair')
  await database.db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)
  await block(subscriber)
  await worker.engine.runUntilIdle()
  await expect(order.conclude()).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  expect(await find(subscriber)).toEqual(before)
  expect(await world.chain.spendPermissions.isRevoked(permission)).toBe(false)
})

test('the old permission is revoked only when the upgrade is final: a fork before that leaves it whole', async () => {
  const subscriber = await world.newSubscriber()
  const { permission } = await place(subscriber)
  await worker.engine.runUntilIdle()
  const before = await find(subscriber)
  const isRevoked = () => world.chain.spendPermissions.isRevoked(permission)
  chaos.setFinalityLag(3)
  const order = await place(subscriber, 20, permission.start)
  await worker.engine.runUntilIdle()
  expect([await quota(subscriber), await isRevoked()]).toEqual([20, false])

  chaos.setWeather('dropped')
  await chaos.reorganise(1, () => false)
  await worker.engine.runOnce()
  chaos.setWeather('fair')
  await block(subscriber)
  await worker.engine.runUntilIdle()
  for (let count = 0; count < 8; count += 1) await chaos.mine()
  await worker.engine.runUntilIdle()
  await expect(order.conclude()).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  expect(await find(subscriber)).toEqual(before)
  expect(await isRevoked()).toBe(false)

  const other = await world.newSubscriber()
  const first = await place(other)
  await worker.engine.runUntilIdle()
  await place(other, 20, first.permission.start)
  await worker.engine.runUntilIdle()
  expect(await world.chain.spendPermissions.isRevoked(first.permission)).toBe(false)
  for (let count = 0; count < 4; count += 1) await chaos.mine()
  await worker.engine.runUntilIdle()
  expect(await world.chain.spendPermissions.isRevoked(first.permission)).toBe(true)
  chaos.setFinalityLag(0)
  await worker.engine.runUntilIdle()
})

test('an upgrade’s charge that the chain takes only in the next period counts toward that period’s price', async () => {
  const subscriber = await world.newSubscriber()
  const { permission } = await place(subscriber)
  await worker.engine.runUntilIdle()
  const next = permission.start + PERIOD
  await place(subscriber, 20, permission.start)
  chaos.setWeather('slow')
  // Approved in a block of its own, then charged by a transaction that waits until the period is over.
  while ((await newestIntent(subscriber)).status === 'PENDING') {
    await worker.engine.runOnce()
    if ((await newestIntent(subscriber)).status === 'PENDING') await chaos.mine()
  }
  await chaos.mine(next - chaos.now())
  chaos.setWeather('fair')
  await worker.engine.runUntilIdle()
  await worker.subscriptions.runDue()
  await worker.engine.runUntilIdle()
  const { status, agentQuota, currentPeriodEnd } = await find(subscriber)
  expect([status, agentQuota, currentPeriodEnd]).toEqual(['ACTIVE', 20, new Date((next + PERIOD) * 1000)])
  const total = PRICE + priceForQuota(20)
  expect(await pulled(subscriber)).toEqual({ chain: total, journal: total })
})

test('bought and revoked by its own wallet in one block: paid once, open until its end, and the last', async () => {
  const subscriber = await world.newSubscriber()
  const { permission } = await place(subscriber)
  const { address } = subscriber.account
  chaos.setWeather('slow')
  while ((await newestIntent(subscriber)).status === 'PENDING') {
    await worker.engine.runOnce()
    if ((await newestIntent(subscriber)).status === 'PENDING') await chaos.mine()
  }
  const revoke = encodeFunctionData({
    abi: spendPermissionManagerAbi,
    functionName: 'revoke',
    args: [permission],
  })
  const data = encodeFunctionData({
    abi: smartWalletAbi,
    functionName: 'execute',
    args: [world.manager, 0n, revoke],
  })
  await world.execute(subscriber.key, { to: address, data, value: 0n })
  await chaos.mine()
  chaos.setWeather('fair')
  await worker.engine.runUntilIdle()
  expect(await world.chain.spendPermissions.isRevoked(permission)).toBe(true)
  const { status, nextPullAt, currentPeriodEnd } = await find(subscriber)
  expect([status, nextPullAt]).toEqual(['CANCELED', null])
  expect(currentPeriodEnd).toEqual(new Date((permission.start + PERIOD) * 1000))
  expect(await quota(subscriber)).toBe(10)
  await chaos.mine(PERIOD)
  await worker.subscriptions.runDue()
  await worker.engine.runUntilIdle()
  expect(await quota(subscriber)).toBe(1)
  expect(await pulled(subscriber)).toEqual({ chain: PRICE, journal: PRICE })
})

test('a cancellation that comes before the pull stops it', async () => {
  const subscriber = await world.newSubscriber()
  const { permission } = await place(subscriber)
  await worker.engine.runUntilIdle()
  await chaos.mine(permission.start + PERIOD - chaos.now())
  await worker.subscriptions.runDue()
  const { ownerId } = subscriber
  await database.db.transaction((tx) =>
    worker.subscriptions.cancel(tx, { ownerId, plan: undefined, requestId: 'r2' }),
  )
  await worker.engine.runUntilIdle()
  expect(await pulled(subscriber)).toEqual({ chain: PRICE, journal: PRICE })
  expect(await quota(subscriber)).toBe(1)
})

test('a pull that was pending before the cancellation keeps open what it paid for, and is the last', async () => {
  const subscriber = await world.newSubscriber()
  const { ownerId } = subscriber
  const { permission } = await place(subscriber)
  await worker.engine.runUntilIdle()
  await chaos.mine(permission.start + PERIOD - chaos.now())
  await worker.subscriptions.runDue()
  chaos.setWeather('slow')
  while ((await newestIntent(subscriber)).status === 'PENDING') await worker.engine.runOnce()
  await database.db.transaction((tx) =>
    worker.subscriptions.cancel(tx, { ownerId, plan: undefined, requestId: 'r3' }),
  )
  chaos.setWeather('fair')
  await chaos.mine()
  await worker.engine.runUntilIdle()
  const { status, currentPeriodEnd, nextPullAt } = await find(subscriber)
  expect([status, nextPullAt]).toEqual(['CANCELED', null])
  expect(currentPeriodEnd).toEqual(new Date((permission.start + 2 * PERIOD) * 1000))
  expect(await quota(subscriber)).toBe(10)
  await chaos.mine(PERIOD)
  await worker.subscriptions.runDue()
  await worker.engine.runUntilIdle()
  expect(await pulled(subscriber)).toEqual({ chain: 2n * PRICE, journal: 2n * PRICE })
  expect(await quota(subscriber)).toBe(1)
})

const cancel = ({ ownerId }: Subscriber) =>
  database.db.transaction((tx) =>
    worker.subscriptions.cancel(tx, { ownerId, plan: undefined, requestId: 'r4' }),
  )

test('an upgrade that is charged after the cancellation leaves no permission behind', async () => {
  const subscriber = await world.newSubscriber()
  const first = await place(subscriber)
  await worker.engine.runUntilIdle()
  const upgrade = await place(subscriber, 20, first.permission.start)
  chaos.setWeather('slow')
  while ((await newestIntent(subscriber)).status === 'PENDING') {
    await worker.engine.runOnce()
    if ((await newestIntent(subscriber)).status === 'PENDING') await chaos.mine()
  }
  await cancel(subscriber)
  chaos.setWeather('fair')
  await chaos.mine()
  await worker.engine.runUntilIdle()
  expect(await quota(subscriber)).toBe(20)
  expect((await find(subscriber)).status).toBe('CANCELED')
  const { isRevoked } = world.chain.spendPermissions
  expect([await isRevoked(first.permission), await isRevoked(upgrade.permission)]).toEqual([true, true])
})

test('a permission that a fork made good again after its refusal is revoked with the cancellation', async () => {
  const subscriber = await world.newSubscriber()
  const { permission } = await place(subscriber)
  chaos.setFinalityLag(3)
  chaos.setWeather('slow')
  // Approved in a block of its own. In the next one the issuer's block comes before the charge, which reverts.
  await worker.engine.runOnce()
  await chaos.mine()
  await block(subscriber)
  while ((await newestIntent(subscriber)).status === 'PENDING') await worker.engine.runOnce()
  await chaos.mine()
  chaos.setWeather('fair')
  await worker.engine.runUntilIdle()
  await expect(find(subscriber)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  // Without the issuer's block the same charge succeeds.
  await chaos.reorganise(1, (index) => index > 0)
  await worker.engine.runUntilIdle()
  expect((await find(subscriber)).status).toBe('ACTIVE')
  for (let count = 0; count < 8; count += 1) await chaos.mine()
  await worker.engine.runUntilIdle()
  const { isRevoked } = world.chain.spendPermissions
  expect(await isRevoked(permission)).toBe(false)
  chaos.setFinalityLag(0)
  await cancel(subscriber)
  await worker.engine.runUntilIdle()
  expect(await isRevoked(permission)).toBe(true)
  expect(await pulled(subscriber)).toEqual({ chain: PRICE, journal: PRICE })
})

test('a fork takes back the wallet’s own revocation: the permission of the ended subscription is revoked all the same', async () => {
  const subscriber = await world.newSubscriber()
  const { permission } = await place(subscriber)
  await worker.engine.runUntilIdle()
  const revoke = encodeFunctionData({
    abi: spendPermissionManagerAbi,
    functionName: 'revoke',
    args: [permission],
  })
  const data = encodeFunctionData({
    abi: smartWalletAbi,
    functionName: 'execute',
    args: [world.manager, 0n, revoke],
  })
  await world.execute(subscriber.key, { to: subscriber.account.address, data, value: 0n })
  await worker.engine.runUntilIdle()
  expect((await find(subscriber)).status).toBe('CANCELED')
  await chaos.reorganise(1, () => false)
  await worker.engine.runUntilIdle()
  expect((await find(subscriber)).status).toBe('CANCELED')
  expect(await world.chain.spendPermissions.isRevoked(permission)).toBe(true)
})
