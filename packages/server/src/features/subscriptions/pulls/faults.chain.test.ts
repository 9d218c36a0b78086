import { smartWalletAbi, spendPermissionManagerAbi, usdcAbi } from '@agent-marketplace/chain'
import { priceForQuota } from '@agent-marketplace/contract'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FaultPoint } from '../../../money/faults.ts'
import type { ChaosChain } from '../../../money/testing/chaos-chain.ts'
import { sql } from '../../../platform/db/sql.ts'
import { crashOnce } from '../../../testing/processes/crash-once.ts'
import { quotaOf } from '../access.ts'
import { readPermission } from '../permission.ts'
import { type Subscriber, type SubscriptionsApi, startSubscriptions } from '../testing/start-subscriptions.ts'
import { PERIOD } from '../testing/subscribers.ts'

let api: SubscriptionsApi
let chaos: ChaosChain
beforeAll(async () => {
  api = await startSubscriptions({ waitMs: 0 })
  chaos = api.chaos
})
afterAll(async () => {
  const breaches = await api.breaches()
  await api.close()
  expect(breaches).toEqual([])
})

const PRICE = priceForQuota(10)
const at = (seconds: number) => new Date(seconds * 1000).toISOString()

/** Decides, without carrying out: the engine works only when a test says so. The same call again reports how it ended. */
async function place(subscriber: Subscriber, agentQuota = 10, start?: number) {
  const allowance = priceForQuota(agentQuota).toString()
  const changes = { allowance, ...(start === undefined ? {} : { start }) }
  const body = await subscriber.body(changes, { agentQuota })
  const key = { 'idempotency-key': `order-${body.permission.salt}` }
  const send = () => (start === undefined ? api.subscribe : api.upgrade)(subscriber, body, key)
  const placed = await send()
  expect(placed.statusCode, placed.body).toBe(202)
  return {
    permission: readPermission(body.permission, api.chain.checksumAddress),
    codeOfRefusal: async (): Promise<string> => (await send()).json().error.code,
  }
}

async function restart(): Promise<void> {
  const { money } = await api.startWorker()
  // What was prepared and not stored waits out a short pause before anyone tries it again.
  await api.db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)
  await money.runUntilIdle()
}

const find = async (subscriber: Subscriber) => (await api.read(subscriber)).json().data
const statusOfFinding = async (subscriber: Subscriber) => (await api.read(subscriber)).statusCode
const pulled = ({ account }: Subscriber) => api.pulledFrom(account.address)
const quota = async ({ ownerId }: Subscriber) => (await quotaOf(api.db, ownerId, api.clock.now())).quota

async function cancel(subscriber: Subscriber): Promise<void> {
  expect((await api.cancel(subscriber)).statusCode).toBe(200)
}

const newestIntent = ({ ownerId }: Subscriber) =>
  api.db.one<{ status: string }>(sql`
    select i.status from intents i join subscription_pulls u on u.intent_id = i.id
    join subscriptions s on s.id = u.subscription_id where s.owner_id = ${ownerId} order by i.seq desc limit 1`)

/** The issuer blocks the account: the check has passed already. */
const block = (subscriber: Subscriber) => {
  const data = encodeFunctionData({
    abi: usdcAbi,
    functionName: 'blacklist',
    args: [subscriber.account.address],
  })
  return api.send(chaos.roles.faucet, { to: chaos.addresses.usdc, data, value: 0n })
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
  const crash = async () => {
    const { money } = await api.startWorker({ moneyOptions: { faults: crashOnce(point) } })
    await expect(money.runUntilIdle()).rejects.toThrow('crashed')
  }

  test('subscribes, renews and upgrades once, and never charges with the old quota', async () => {
    const subscriber = await api.newSubscriber()
    const { permission } = await place(subscriber)
    await crash()
    await restart()
    expect(await find(subscriber)).toMatchObject({ status: 'ACTIVE' })
    expect(await pulled(subscriber)).toEqual({ chain: PRICE, journal: PRICE })

    await chaos.mine(permission.start + PERIOD - chaos.now())
    await api.runDue()
    await (await api.startWorker()).tick('subscriptions')
    const before = await find(subscriber)
    await crash()
    const during = await find(subscriber)
    // The dates move with the confirmation, and only with it.
    const isConfirmed = (await pulled(subscriber)).journal === 2n * PRICE
    if (!isConfirmed) expect(during.nextEligibleAt).toEqual(before.nextEligibleAt)
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
    const subscriber = await api.newSubscriber()
    await place(subscriber)
    chaos.setWeather(weather)
    await api.money.runOnce()
    chaos.setWeather('fair')
    await api.money.runUntilIdle()
    expect(await find(subscriber)).toMatchObject({ status: 'ACTIVE' })
    expect(await pulled(subscriber)).toEqual({ chain: PRICE, journal: PRICE })
  },
)

test('a subscription that cannot be renewed is named, and holds up no other', async () => {
  const [broken, whole] = [await api.newSubscriber(), await api.newSubscriber()]
  const { permission } = await place(broken)
  await place(whole)
  await api.money.runUntilIdle()
  const { id } = await api.db.one<{ id: string }>(
    sql`select id from subscriptions where owner_id = ${broken.ownerId}`,
  )
  await api.db.run(sql`create table refused_pulls (id text)`)
  await api.db.run(sql`insert into refused_pulls values (${id})`)
  await api.db.run(sql`
    create function refuse_pull() returns trigger language plpgsql as $$
    begin
      if exists (select from refused_pulls where id = new.subscription_id) then raise 'no pull is possible'; end if;
      return new;
    end $$`)
  await api.db.run(
    sql`create trigger refused before insert on subscription_pulls for each row execute function refuse_pull()`,
  )
  await chaos.mine(permission.start + PERIOD + 60 - chaos.now())
  await expect(api.runDue()).rejects.toMatchObject({
    cause: { message: `${id} could not be dealt with`, cause: { message: 'no pull is possible' } },
  })
  await api.money.runUntilIdle()
  expect([(await pulled(broken)).chain, (await pulled(whole)).chain]).toEqual([PRICE, 2n * PRICE])

  await api.db.run(sql`drop trigger refused on subscription_pulls`)
  await api.runDue()
  await api.money.runUntilIdle()
  expect((await pulled(broken)).chain).toBe(2n * PRICE)
})

test('a reorganisation takes a renewal back, dates and all, and it is pulled again once', async () => {
  const subscriber = await api.newSubscriber()
  const { permission } = await place(subscriber)
  await api.money.runUntilIdle()
  const paidOnce = await find(subscriber)
  await chaos.mine(permission.start + PERIOD - chaos.now())
  await api.runDue()
  await api.money.runUntilIdle()
  const paidTwice = await find(subscriber)

  await chaos.reorganise(1, () => false)
  chaos.setWeather('forgotten')
  await api.money.runOnce()
  await api.money.runOnce()
  // Its paid time is over, and how long the renewal is tried is not known yet.
  expect(await find(subscriber)).toEqual({ ...paidOnce, effectiveQuotaUntil: null })
  expect(await pulled(subscriber)).toEqual({ chain: PRICE, journal: PRICE })
  await api.runDue()

  chaos.setWeather('fair')
  await api.money.runUntilIdle()
  const { lastPullAt: _later, ...rest } = paidTwice
  expect(await find(subscriber)).toMatchObject(rest)
  expect(await pulled(subscriber)).toEqual({ chain: 2n * PRICE, journal: 2n * PRICE })
})

test('a reorganisation takes an upgrade back, quota and all', async () => {
  const subscriber = await api.newSubscriber()
  const { permission } = await place(subscriber)
  await api.money.runUntilIdle()
  await place(subscriber, 20, permission.start)
  await api.money.runUntilIdle()
  expect(await quota(subscriber)).toBe(20)
  // The revocation of the old permission, and the charge before it.
  await chaos.reorganise(2, () => false)
  chaos.setWeather('forgotten')
  await api.money.runOnce()
  await api.money.runOnce()
  expect(await quota(subscriber)).toBe(10)
  chaos.setWeather('fair')
  await api.money.runUntilIdle()
  expect(await quota(subscriber)).toBe(20)
  const { chain, journal } = await pulled(subscriber)
  expect(journal).toBe(chain)
})

describe('money that is gone between the check and the pull', () => {
  test('leaves no subscription', async () => {
    const subscriber = await api.newSubscriber()
    const order = await place(subscriber)
    await block(subscriber)
    await api.money.runUntilIdle()
    expect(await order.codeOfRefusal()).toBe('INSUFFICIENT_BALANCE')
    expect(await statusOfFinding(subscriber)).toBe(404)
    expect(await api.chain.spendPermissions.isRevoked(order.permission)).toBe(true)
    expect(await pulled(subscriber)).toEqual({ chain: 0n, journal: 0n })
  })

  test('leaves the old subscription as it was', async () => {
    const subscriber = await api.newSubscriber()
    const { permission } = await place(subscriber)
    await api.money.runUntilIdle()
    const before = await find(subscriber)
    const order = await place(subscriber, 20, permission.start)
    await block(subscriber)
    await api.money.runUntilIdle()
    expect(await order.codeOfRefusal()).toBe('INSUFFICIENT_BALANCE')
    expect(await find(subscriber)).toEqual(before)
    expect(await api.chain.spendPermissions.isRevoked(permission)).toBe(false)
    expect(await pulled(subscriber)).toEqual({ chain: PRICE, journal: PRICE })
  })
})

test('an upgrade that a fork takes back and that is refused then leaves the old subscription as it was', async () => {
  const subscriber = await api.newSubscriber()
  const { permission } = await place(subscriber)
  await api.money.runUntilIdle()
  const before = await find(subscriber)
  const order = await place(subscriber, 20, permission.start)
  while ((await quota(subscriber)) < 20) await api.money.runOnce()
  // The revocation of the old permission is still with a worker that is slow.
  await api.db.run(sql`
    update intents set claimed_until = 'infinity' where kind = 'subscription.revoke' and status = 'PENDING'`)
  chaos.setWeather('dropped')
  await chaos.reorganise(1, () => false)
  await api.money.runOnce()
  expect(await quota(subscriber)).toBe(10)
  chaos.setWeather('fair')
  await api.db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)
  await block(subscriber)
  await api.money.runUntilIdle()
  expect(await order.codeOfRefusal()).toBe('INSUFFICIENT_BALANCE')
  expect(await find(subscriber)).toEqual(before)
  expect(await api.chain.spendPermissions.isRevoked(permission)).toBe(false)
})

test('the old permission is revoked only when the upgrade is final: a fork before that leaves it whole', async () => {
  const subscriber = await api.newSubscriber()
  const { permission } = await place(subscriber)
  await api.money.runUntilIdle()
  const before = await find(subscriber)
  const isRevoked = () => api.chain.spendPermissions.isRevoked(permission)
  chaos.setFinalityLag(3)
  const order = await place(subscriber, 20, permission.start)
  await api.money.runUntilIdle()
  expect([await quota(subscriber), await isRevoked()]).toEqual([20, false])

  chaos.setWeather('dropped')
  await chaos.reorganise(1, () => false)
  await api.money.runOnce()
  chaos.setWeather('fair')
  await block(subscriber)
  await api.money.runUntilIdle()
  for (let count = 0; count < 8; count += 1) await chaos.mine()
  await api.money.runUntilIdle()
  expect(await order.codeOfRefusal()).toBe('INSUFFICIENT_BALANCE')
  expect(await find(subscriber)).toEqual(before)
  expect(await isRevoked()).toBe(false)

  const other = await api.newSubscriber()
  const first = await place(other)
  await api.money.runUntilIdle()
  await place(other, 20, first.permission.start)
  await api.money.runUntilIdle()
  expect(await api.chain.spendPermissions.isRevoked(first.permission)).toBe(false)
  for (let count = 0; count < 4; count += 1) await chaos.mine()
  await api.money.runUntilIdle()
  expect(await api.chain.spendPermissions.isRevoked(first.permission)).toBe(true)
  chaos.setFinalityLag(0)
  await api.money.runUntilIdle()
})

test('an upgrade’s charge that the chain takes only in the next period counts toward that period’s price', async () => {
  const subscriber = await api.newSubscriber()
  const { permission } = await place(subscriber)
  await api.money.runUntilIdle()
  const next = permission.start + PERIOD
  await place(subscriber, 20, permission.start)
  chaos.setWeather('slow')
  // Approved in a block of its own, then charged by a transaction that waits until the period is over.
  while ((await newestIntent(subscriber)).status === 'PENDING') {
    await api.money.runOnce()
    if ((await newestIntent(subscriber)).status === 'PENDING') await chaos.mine()
  }
  await chaos.mine(next - chaos.now())
  chaos.setWeather('fair')
  await api.money.runUntilIdle()
  await api.runDue()
  await api.money.runUntilIdle()
  const { status, agentQuota, currentPeriodEnd } = await find(subscriber)
  expect([status, agentQuota, currentPeriodEnd]).toEqual(['ACTIVE', 20, at(next + PERIOD)])
  const total = PRICE + priceForQuota(20)
  expect(await pulled(subscriber)).toEqual({ chain: total, journal: total })
})

test('bought and revoked by its own wallet in one block: paid once, open until its end, and the last', async () => {
  const subscriber = await api.newSubscriber()
  const { permission } = await place(subscriber)
  const { address } = subscriber.account
  chaos.setWeather('slow')
  while ((await newestIntent(subscriber)).status === 'PENDING') {
    await api.money.runOnce()
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
    args: [api.manager, 0n, revoke],
  })
  await api.send(subscriber.key, { to: address, data, value: 0n })
  await chaos.mine()
  chaos.setWeather('fair')
  await api.money.runUntilIdle()
  expect(await api.chain.spendPermissions.isRevoked(permission)).toBe(true)
  const { status, nextEligibleAt, currentPeriodEnd } = await find(subscriber)
  expect([status, nextEligibleAt]).toEqual(['CANCELED', null])
  expect(currentPeriodEnd).toBe(at(permission.start + PERIOD))
  expect(await quota(subscriber)).toBe(10)
  await chaos.mine(PERIOD)
  await api.runDue()
  await api.money.runUntilIdle()
  expect(await quota(subscriber)).toBe(1)
  expect(await pulled(subscriber)).toEqual({ chain: PRICE, journal: PRICE })
})

test('a cancellation that comes before the pull stops it', async () => {
  const subscriber = await api.newSubscriber()
  const { permission } = await place(subscriber)
  await api.money.runUntilIdle()
  await chaos.mine(permission.start + PERIOD - chaos.now())
  await api.runDue()
  await cancel(subscriber)
  await api.money.runUntilIdle()
  expect(await pulled(subscriber)).toEqual({ chain: PRICE, journal: PRICE })
  expect(await quota(subscriber)).toBe(1)
})

test('a pull that was pending before the cancellation keeps open what it paid for, and is the last', async () => {
  const subscriber = await api.newSubscriber()
  const { permission } = await place(subscriber)
  await api.money.runUntilIdle()
  await chaos.mine(permission.start + PERIOD - chaos.now())
  await api.runDue()
  chaos.setWeather('slow')
  while ((await newestIntent(subscriber)).status === 'PENDING') await api.money.runOnce()
  await cancel(subscriber)
  chaos.setWeather('fair')
  await chaos.mine()
  await api.money.runUntilIdle()
  const { status, currentPeriodEnd, nextEligibleAt } = await find(subscriber)
  expect([status, nextEligibleAt]).toEqual(['CANCELED', null])
  expect(currentPeriodEnd).toBe(at(permission.start + 2 * PERIOD))
  expect(await quota(subscriber)).toBe(10)
  await chaos.mine(PERIOD)
  await api.runDue()
  await api.money.runUntilIdle()
  expect(await pulled(subscriber)).toEqual({ chain: 2n * PRICE, journal: 2n * PRICE })
  expect(await quota(subscriber)).toBe(1)
})

test('an upgrade that is charged after the cancellation leaves no permission behind', async () => {
  const subscriber = await api.newSubscriber()
  const first = await place(subscriber)
  await api.money.runUntilIdle()
  const upgrade = await place(subscriber, 20, first.permission.start)
  chaos.setWeather('slow')
  while ((await newestIntent(subscriber)).status === 'PENDING') {
    await api.money.runOnce()
    if ((await newestIntent(subscriber)).status === 'PENDING') await chaos.mine()
  }
  await cancel(subscriber)
  chaos.setWeather('fair')
  await chaos.mine()
  await api.money.runUntilIdle()
  expect(await quota(subscriber)).toBe(20)
  expect((await find(subscriber)).status).toBe('CANCELED')
  const { isRevoked } = api.chain.spendPermissions
  expect([await isRevoked(first.permission), await isRevoked(upgrade.permission)]).toEqual([true, true])
})

test('a permission that a fork made good again after its refusal is revoked with the cancellation', async () => {
  const subscriber = await api.newSubscriber()
  const { permission } = await place(subscriber)
  chaos.setFinalityLag(3)
  chaos.setWeather('slow')
  // Approved in a block of its own. In the next one the issuer's block comes before the charge, which reverts.
  await api.money.runOnce()
  await chaos.mine()
  await block(subscriber)
  while ((await newestIntent(subscriber)).status === 'PENDING') await api.money.runOnce()
  await chaos.mine()
  chaos.setWeather('fair')
  await api.money.runUntilIdle()
  expect(await statusOfFinding(subscriber)).toBe(404)
  // Without the issuer's block the same charge succeeds.
  await chaos.reorganise(1, (index) => index > 0)
  await api.money.runUntilIdle()
  expect((await find(subscriber)).status).toBe('ACTIVE')
  for (let count = 0; count < 8; count += 1) await chaos.mine()
  await api.money.runUntilIdle()
  const { isRevoked } = api.chain.spendPermissions
  expect(await isRevoked(permission)).toBe(false)
  chaos.setFinalityLag(0)
  await cancel(subscriber)
  await api.money.runUntilIdle()
  expect(await isRevoked(permission)).toBe(true)
  expect(await pulled(subscriber)).toEqual({ chain: PRICE, journal: PRICE })
})

test('a fork takes back the wallet’s own revocation: the permission of the ended subscription is revoked all the same', async () => {
  const subscriber = await api.newSubscriber()
  const { permission } = await place(subscriber)
  await api.money.runUntilIdle()
  const revoke = encodeFunctionData({
    abi: spendPermissionManagerAbi,
    functionName: 'revoke',
    args: [permission],
  })
  const data = encodeFunctionData({
    abi: smartWalletAbi,
    functionName: 'execute',
    args: [api.manager, 0n, revoke],
  })
  await api.send(subscriber.key, { to: subscriber.account.address, data, value: 0n })
  await api.money.runUntilIdle()
  expect((await find(subscriber)).status).toBe('CANCELED')
  await chaos.reorganise(1, () => false)
  await api.money.runUntilIdle()
  expect((await find(subscriber)).status).toBe('CANCELED')
  expect(await api.chain.spendPermissions.isRevoked(permission)).toBe(true)
})
