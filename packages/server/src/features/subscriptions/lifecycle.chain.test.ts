import { spendPermissionManagerAbi } from '@agent-marketplace/chain'
import { priceForQuota, proratedUpgradeMicro } from '@agent-marketplace/contract'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { hasPlan, quotaOf } from './access.ts'
import { readPermission } from './permission.ts'
import { type Subscriber, type SubscriptionsApi, startSubscriptions } from './testing/start-subscriptions.ts'
import { DAY, PERIOD } from './testing/subscribers.ts'

let world: SubscriptionsApi
beforeAll(async () => {
  world = await startSubscriptions()
})
afterAll(async () => {
  const breaches = await world.breaches()
  await world.close()
  expect(breaches).toEqual([])
})

const PRICE = priceForQuota(10)
const HOUR = 3600
const at = (seconds: number): string => new Date(seconds * 1000).toISOString()
const show = async (subscriber: Subscriber, query = '') => (await world.read(subscriber, query)).json().data
const pulled = async ({ account }: Subscriber) => (await world.pulledFrom(account.address)).chain
const granted = (subscriber: Subscriber) => quotaOf(world.db, subscriber.ownerId, world.clock.now())
const quota = async (subscriber: Subscriber) => (await granted(subscriber)).quota

/** A subscriber with a paid first period and this much left for later ones. */
async function subscribed(restMicro: bigint, changes: object = {}, terms: object = {}) {
  const subscriber = await world.newSubscriber(PRICE + restMicro)
  const body = await subscriber.body(changes, terms)
  const response = await world.subscribe(subscriber, body)
  expect(response.statusCode).toBe(201)
  return { subscriber, body, start: body.permission.start }
}

/** Moves time to this second and lets the worker do what is due. */
const advanceTo = (seconds: number) => world.advance(seconds - world.chaos.now())

describe('renewal', () => {
  test('one pull per period on the grid of the permission, however late the worker is', async () => {
    const { subscriber, start } = await subscribed(10n * PRICE)
    await advanceTo(start + PERIOD - 10)
    expect(await pulled(subscriber)).toBe(PRICE)
    await advanceTo(start + PERIOD)
    expect(await pulled(subscriber)).toBe(2n * PRICE)
    expect(await show(subscriber)).toMatchObject({
      status: 'ACTIVE',
      currentPeriodEnd: at(start + 2 * PERIOD),
      nextEligibleAt: at(start + 2 * PERIOD),
    })
    // The worker sleeps through a whole period and wakes in the middle of the next.
    await advanceTo(start + 3 * PERIOD + 5 * DAY)
    await world.advance(1)
    expect(await pulled(subscriber)).toBe(3n * PRICE)
    expect(await show(subscriber)).toMatchObject({ currentPeriodEnd: at(start + 4 * PERIOD) })
    expect(await world.told(subscriber.ownerId)).toEqual([
      'SUBSCRIPTION_ACTIVE',
      'SUBSCRIPTION_RENEWED',
      'SUBSCRIPTION_RENEWED',
    ])
    expect((await world.pulledFrom(subscriber.account.address)).journal).toBe(3n * PRICE)
  })

  test('TRIALING until a start in the future, and nothing is open before it is paid', async () => {
    const subscriber = await world.newSubscriber()
    const start = world.chaos.now() + 3 * DAY
    const response = await world.subscribe(subscriber, await subscriber.body({ start }))
    expect([response.statusCode, response.json().data]).toMatchObject([
      201,
      { status: 'TRIALING', nextEligibleAt: at(start) },
    ])
    await world.runUntilIdle()
    expect([await pulled(subscriber), await quota(subscriber)]).toEqual([0n, 1])
    await advanceTo(start)
    expect(await show(subscriber)).toMatchObject({ status: 'ACTIVE', currentPeriodEnd: at(start + PERIOD) })
    expect([await pulled(subscriber), await quota(subscriber)]).toEqual([PRICE, 10])
  })

  test('too little money: PAST_DUE, the ladder of tries, then CANCELED', async () => {
    const { subscriber, start } = await subscribed(0n)
    await advanceTo(start + PERIOD)
    const { status, currentPeriodEnd, nextEligibleAt } = await show(subscriber)
    expect([status, currentPeriodEnd]).toEqual(['PAST_DUE', at(start + PERIOD)])
    // Other subscribers' pulls make blocks, and each of them is a second.
    const since = Date.parse(nextEligibleAt) / 1000 - HOUR
    expect(since).toBeGreaterThanOrEqual(start + PERIOD)
    expect(since).toBeLessThanOrEqual(world.chaos.now())
    expect(await quota(subscriber)).toBe(10)
    for (const [delay, next] of [
      [HOUR, DAY],
      [DAY, 3 * DAY],
      [3 * DAY, 5 * DAY],
    ] as const) {
      await advanceTo(since + delay)
      expect(await show(subscriber)).toMatchObject({ status: 'PAST_DUE', nextEligibleAt: at(since + next) })
    }
    await advanceTo(since + 5 * DAY)
    expect(await show(subscriber)).toMatchObject({ status: 'PAST_DUE', nextEligibleAt: null })
    await advanceTo(since + 7 * DAY - 1)
    expect((await world.read(subscriber)).statusCode).toBe(200)
    await advanceTo(since + 7 * DAY)
    expect((await world.read(subscriber)).statusCode).toBe(404)
    expect([await quota(subscriber), await world.runningAgents(subscriber.ownerId)]).toEqual([1, 1])
    const told = await world.told(subscriber.ownerId)
    expect(told.filter((type) => type === 'SUBSCRIPTION_PAST_DUE')).toHaveLength(5)
    expect(told.at(-1)).toBe('SUBSCRIPTION_CANCELED')
    expect(await pulled(subscriber)).toBe(PRICE)
  })

  test('a try of the ladder that succeeds brings it back, on the old grid', async () => {
    const { subscriber, start } = await subscribed(0n)
    await advanceTo(start + PERIOD)
    expect((await show(subscriber)).status).toBe('PAST_DUE')
    await world.fund(subscriber.account.address, PRICE)
    await world.advance(HOUR)
    expect(await show(subscriber)).toMatchObject({
      status: 'ACTIVE',
      currentPeriodEnd: at(start + 2 * PERIOD),
    })
    expect(await pulled(subscriber)).toBe(2n * PRICE)
  })

  test('a permission revoked on chain ends it with the paid period, without any try', async () => {
    const { subscriber, body, start } = await subscribed(10n * PRICE)
    const permission = readPermission(body.permission, world.chain.checksumAddress)
    const revoke = encodeFunctionData({
      abi: spendPermissionManagerAbi,
      functionName: 'revokeAsSpender',
      args: [permission],
    })
    // The spender's key used outside the engine stands for the account, which would need an EntryPoint to call.
    await world.execute(world.chaos.roles.spender, { to: world.manager, data: revoke, value: 0n })
    await world.runUntilIdle()
    expect(await show(subscriber)).toMatchObject({ status: 'CANCELED', nextEligibleAt: null })
    await advanceTo(start + PERIOD)
    await world.advance(DAY)
    expect((await world.read(subscriber)).statusCode).toBe(404)
    expect(await pulled(subscriber)).toBe(PRICE)
    expect(await world.told(subscriber.ownerId)).toEqual(['SUBSCRIPTION_ACTIVE', 'SUBSCRIPTION_CANCELED'])
  })

  test('a permission that runs out ends it; a period that it cuts short is not sold', async () => {
    const now = world.chaos.now()
    const { subscriber, start } = await subscribed(10n * PRICE, { start: now, end: now + PERIOD + DAY })
    expect(await show(subscriber)).toMatchObject({ status: 'ACTIVE', nextEligibleAt: null })
    await advanceTo(start + PERIOD)
    expect((await world.read(subscriber)).statusCode).toBe(404)
    expect(await pulled(subscriber)).toBe(PRICE)
  })
})

describe('cancellation', () => {
  test('no further pull, access until the end of what was paid, then agents beyond the free tier are paused', async () => {
    const { subscriber, body, start } = await subscribed(10n * PRICE)
    const response = await world.cancel(subscriber)
    expect([response.statusCode, response.json().data]).toMatchObject([
      200,
      { status: 'CANCELED', currentPeriodEnd: at(start + PERIOD), nextEligibleAt: null },
    ])
    expect((await world.cancel(subscriber)).statusCode).toBe(200)
    await world.runUntilIdle()
    const permission = readPermission(body.permission, world.chain.checksumAddress)
    expect(await world.chain.spendPermissions.isRevoked(permission)).toBe(true)
    expect(await quota(subscriber)).toBe(10)
    await advanceTo(start + PERIOD)
    expect([await quota(subscriber), await world.runningAgents(subscriber.ownerId)]).toEqual([1, 1])
    expect((await world.read(subscriber)).statusCode).toBe(404)
    expect((await world.cancel(subscriber)).statusCode).toBe(404)
    expect(await pulled(subscriber)).toBe(PRICE)

    expect((await world.subscribe(subscriber, await subscriber.body())).statusCode).toBe(201)
    expect(await world.runningAgents(subscriber.ownerId)).toBe(10)
  })

  test('pauses the youngest agents, and the next plan resumes the oldest; what the owner paused stays', async () => {
    const { subscriber, start } = await subscribed(10n * PRICE)
    const { ownerId } = subscriber
    const running = async () => {
      const agents = await world.db.rows<{ name: string }>(
        sql`select name from agents where owner_id = ${ownerId} and paused_by is null order by created_at`,
      )
      return agents.map(({ name }) => name)
    }
    const namesOf = (numbers: number[]) => numbers.map((number) => `Agent ${number}`)
    await world.db.run(
      sql`update agents set paused_by = 'OWNER' where owner_id = ${ownerId} and name = 'Agent 2'`,
    )
    await world.cancel(subscriber)
    await advanceTo(start + PERIOD)
    expect(await running()).toEqual(namesOf([1]))
    expect((await world.subscribe(subscriber, await subscriber.body())).statusCode).toBe(201)
    expect(await running()).toEqual(namesOf([1, 3, 4, 5, 6, 7, 8, 9, 10, 11]))
    const notices = await world.notificationsOf(ownerId)
    const types = notices.map(({ type }) => type).filter((type) => type.startsWith('AGENT_'))
    // Ten at first, because another took the place of the one that its owner paused.
    expect(types).toEqual([
      ...Array(10).fill('AGENT_RESUMED'),
      ...Array(9).fill('AGENT_PAUSED'),
      ...Array(9).fill('AGENT_RESUMED'),
    ])
  })
})

describe('upgrade', () => {
  const upgraded = (subscriber: Subscriber, start: number, agentQuota: number, changes: object = {}) =>
    subscriber.body({ start, allowance: priceForQuota(agentQuota).toString(), ...changes }, { agentQuota })

  test('charges the difference for the rest of the period, keeps the dates, and revokes the old permission', async () => {
    const { subscriber, body, start } = await subscribed(1_000_000_000n)
    await world.advance(10 * DAY)
    const quoted = await world.quote(
      subscriber,
      `plan=AGENT_QUOTA&agentQuota=50&account=${subscriber.account.address}`,
    )
    expect(quoted.json().data).toMatchObject({
      upgrade: true,
      price: '41000000',
      permission: { start, period: PERIOD },
    })
    const { permission } = quoted.json().data
    const signature = await subscriber.sign(permission)
    const remainingSeconds = BigInt(start + PERIOD - world.chaos.now())
    const charge = proratedUpgradeMicro({
      oldPriceMicro: PRICE,
      newPriceMicro: priceForQuota(50),
      remainingSeconds,
      periodSeconds: BigInt(PERIOD),
    })
    expect(quoted.json().data.chargeNow).toBe(charge.toString())
    const response = await world.upgrade(subscriber, {
      plan: 'AGENT_QUOTA',
      agentQuota: 50,
      permission,
      signature,
    })
    expect([response.statusCode, response.json().data]).toMatchObject([
      201,
      {
        status: 'ACTIVE',
        agentQuota: 50,
        currentPeriodEnd: at(start + PERIOD),
        nextEligibleAt: at(start + PERIOD),
      },
    ])
    await world.runUntilIdle()
    expect(await pulled(subscriber)).toBe(PRICE + charge)
    expect(await world.runningAgents(subscriber.ownerId)).toBe(50)
    const old = readPermission(body.permission, world.chain.checksumAddress)
    expect(await world.chain.spendPermissions.isRevoked(old)).toBe(true)
    await advanceTo(start + PERIOD)
    expect(await pulled(subscriber)).toBe(PRICE + charge + priceForQuota(50))
    expect(await show(subscriber)).toMatchObject({ agentQuota: 50, currentPeriodEnd: at(start + 2 * PERIOD) })
    expect(await world.told(subscriber.ownerId)).toEqual([
      'SUBSCRIPTION_ACTIVE',
      'SUBSCRIPTION_UPGRADED',
      'SUBSCRIPTION_RENEWED',
    ])
  })

  test('bought minutes before the end and not renewed, it opens no more than was paid for a whole period', async () => {
    const { subscriber, start } = await subscribed(5_000_000n)
    await world.chaos.mine(start + PERIOD - 700 - world.chaos.now())
    const response = await world.upgrade(subscriber, await upgraded(subscriber, start, 1_000))
    expect(response.json().data).toMatchObject({
      agentQuota: 1_000,
      effectiveQuota: 1_000,
      effectiveQuotaUntil: at(start + PERIOD),
    })
    await world.runUntilIdle()
    await advanceTo(start + PERIOD)
    const { status, agentQuota, effectiveQuota, effectiveQuotaUntil } = await show(subscriber)
    expect([status, agentQuota, effectiveQuota]).toEqual(['PAST_DUE', 1_000, 10])
    expect(Date.parse(effectiveQuotaUntil)).toBeGreaterThanOrEqual((start + PERIOD + 7 * DAY) * 1000)
    expect([await quota(subscriber), await world.runningAgents(subscriber.ownerId)]).toEqual([10, 10])

    await world.fund(subscriber.account.address, priceForQuota(1_000))
    await world.advance(HOUR)
    expect(await show(subscriber)).toMatchObject({ status: 'ACTIVE', effectiveQuota: 1_000 })
    expect(await world.runningAgents(subscriber.ownerId)).toBe(60)
  })

  test('an older, larger plan counts until its end beside a new one', async () => {
    const { subscriber, start } = await subscribed(1_000_000_000n)
    await world.cancel(subscriber)
    const body = await upgraded(subscriber, world.chaos.now(), 2)
    expect((await world.subscribe(subscriber, body)).statusCode).toBe(201)
    expect(await show(subscriber)).toMatchObject({
      agentQuota: 2,
      effectiveQuota: 10,
      effectiveQuotaUntil: at(start + PERIOD),
    })
    await advanceTo(start + PERIOD)
    expect(await show(subscriber)).toMatchObject({ agentQuota: 2, effectiveQuota: 2 })
  })

  test('five identical calls at once charge once', async () => {
    const { subscriber, start } = await subscribed(1_000_000_000n)
    const body = await upgraded(subscriber, start, 20)
    const responses = await Promise.all(Array.from({ length: 5 }, () => world.upgrade(subscriber, body)))
    for (const response of responses)
      expect([response.statusCode, response.json().data?.agentQuota]).toEqual([201, 20])
    const before = await pulled(subscriber)
    expect(before).toBeLessThan(priceForQuota(20))
    expect((await world.upgrade(subscriber, body)).statusCode).toBe(400)
    expect(await pulled(subscriber)).toBe(before)
  })

  test('a charge that fails changes nothing', async () => {
    const { subscriber, start } = await subscribed(0n)
    const before = await show(subscriber)
    const response = await world.upgrade(subscriber, await upgraded(subscriber, start, 20))
    expect([response.statusCode, response.json().error.code]).toEqual([422, 'INSUFFICIENT_BALANCE'])
    expect(await show(subscriber)).toEqual(before)
    expect(await pulled(subscriber)).toBe(PRICE)
  })

  test.each([
    ['an equal quota', 10, {}, 400, 'VALIDATION_ERROR'],
    ['a lower quota', 5, {}, 400, 'VALIDATION_ERROR'],
    ['a start off the grid', 20, { start: 1_700_000_000 }, 400, 'VALIDATION_ERROR'],
    ['another period', 20, { period: 29 * DAY }, 400, 'VALIDATION_ERROR'],
    ['another price', 20, { allowance: '1' }, 400, 'PRICE_MISMATCH'],
  ])('%s is refused', async (_name, agentQuota, changes, status, code) => {
    const { subscriber, start } = await subscribed(1_000_000_000n)
    const response = await world.upgrade(subscriber, await upgraded(subscriber, start, agentQuota, changes))
    expect([response.statusCode, response.json().error.code]).toEqual([status, code])
    expect(await pulled(subscriber)).toBe(PRICE)
  })

  test('too late in the period for a charge to arrive in it', async () => {
    const { subscriber, start } = await subscribed(1_000_000_000n)
    await world.chaos.mine(start + PERIOD - 500 - world.chaos.now())
    const response = await world.upgrade(subscriber, await upgraded(subscriber, start, 20))
    expect([response.statusCode, response.json().error.code]).toEqual([409, 'INVALID_STATE'])
  })

  test('without a subscription there is nothing to upgrade', async () => {
    const subscriber = await world.newSubscriber()
    const response = await world.upgrade(subscriber, await upgraded(subscriber, world.chaos.now(), 20))
    expect(response.statusCode).toBe(404)
  })
})

describe('the other plans', () => {
  test.each([
    ['PREMIUM_LISTING', '10000000', true, false],
    ['API_ACCESS', '25000000', false, true],
    ['ENTERPRISE', '500000000', true, true],
  ] as const)('%s costs %s and opens what it says', async (plan, allowance, isPremium, hasApi) => {
    const subscriber = await world.newSubscriber(600_000_000n)
    const response = await world.subscribe(subscriber, await subscriber.body({ allowance }, { plan }))
    expect([response.statusCode, response.json().data]).toMatchObject([201, { plan, status: 'ACTIVE' }])
    expect((await show(subscriber)).agentQuota).toBeNull()
    expect(await quota(subscriber)).toBe(1)
    expect(await world.isPremium(subscriber.ownerId)).toBe(isPremium)
    const { ownerId } = subscriber
    const plans = ['API_ACCESS', 'ENTERPRISE'] as const
    expect(await hasPlan(world.db, { ownerId, plans, now: world.clock.now() })).toBe(hasApi)
    await world.cancel(subscriber, `?plan=${plan}`)
    await world.advance(PERIOD)
    expect(await hasPlan(world.db, { ownerId, plans, now: world.clock.now() })).toBe(false)
    expect(await world.isPremium(ownerId)).toBe(false)
  })

  test('a quote for a plan that is live is a conflict', async () => {
    const subscriber = await world.newSubscriber(600_000_000n)
    await world.subscribe(
      subscriber,
      await subscriber.body({ allowance: '25000000' }, { plan: 'API_ACCESS' }),
    )
    expect((await world.quote(subscriber, 'plan=API_ACCESS')).statusCode).toBe(409)
  })
})

test('the quote takes the account that paid last, and says what a plain wallet must do', async () => {
  const subscriber = await world.newSubscriber()
  const quoteOf = async (query: string) => (await world.quote(subscriber, query)).json().data
  const plain = await quoteOf('plan=AGENT_QUOTA&agentQuota=10')
  expect(plain.permission.account).toBe(subscriber.key.address)
  expect(plain.payer).toEqual({ isReady: false, advice: expect.stringContaining(world.manager) })
  expect((await world.subscribe(subscriber, await subscriber.body())).statusCode).toBe(201)
  const known = await quoteOf('plan=AGENT_QUOTA&agentQuota=20')
  expect(known.permission.account).toBe(subscriber.account.address)
  expect(known.payer).toEqual({ isReady: true, advice: null })
})

test('the quote’s typed data, signed by the wallet, is taken as it is', async () => {
  const subscriber = await world.newSubscriber()
  const quoted = await world.quote(
    subscriber,
    `plan=AGENT_QUOTA&agentQuota=101&account=${subscriber.account.address}`,
  )
  const { permission, typedData, price, chargeNow, upgrade } = quoted.json().data
  expect([price, chargeNow, upgrade]).toEqual(['68900000', '68900000', false])
  expect(typedData.message).toEqual(permission)
  const { EIP712Domain: _domain, ...types } = typedData.types
  const signature = await subscriber.account.signTypedData({ ...typedData, types })
  const response = await world.subscribe(subscriber, {
    plan: 'AGENT_QUOTA',
    agentQuota: 101,
    permission,
    signature,
  })
  expect([response.statusCode, response.json().data.status]).toEqual([201, 'ACTIVE'])
})
