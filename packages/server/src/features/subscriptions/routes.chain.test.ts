import { priceForQuota } from '@agent-marketplace/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SubscriptionsApi, startSubscriptions } from './testing/start-subscriptions.ts'
import { DAY, PERIOD } from './testing/subscribers.ts'

let world: SubscriptionsApi
beforeAll(async () => {
  world = await startSubscriptions()
})
afterAll(() => world.close())

const PRICE = priceForQuota(10)
const at = (seconds: number): string => new Date(seconds * 1000).toISOString()

test('subscribe: the account is deployed, the permission approved and the first period pulled in one response', async () => {
  const subscriber = await world.newSubscriber()
  const body = await subscriber.body()
  // The object of the wallet's own SDK carries more than is requested.
  const response = await world.subscribe(subscriber, { ...body, chainId: 31337 })
  expect(response.json().error).toBeUndefined()
  expect(response.statusCode).toBe(201)
  const { start } = body.permission
  expect(response.json().data).toEqual({
    id: expect.stringMatching(/^c/),
    plan: 'AGENT_QUOTA',
    status: 'ACTIVE',
    paymentRail: 'ONCHAIN',
    nextEligibleAt: at(start + PERIOD),
  })
  expect((await world.read(subscriber)).json().data).toMatchObject({
    status: 'ACTIVE',
    agentQuota: 10,
    subscriberAddress: subscriber.account.address,
    currentPeriodEnd: at(start + PERIOD),
    lastPullAt: expect.any(String),
  })
  expect(await world.pulledFrom(subscriber.account.address)).toEqual({ chain: PRICE, journal: PRICE })
  expect(await world.runningAgents(subscriber.ownerId)).toBe(10)
  expect(await world.told(subscriber.ownerId)).toEqual(['SUBSCRIPTION_ACTIVE'])
})

test('the list has one subscription for each plan, and none on the free tier', async () => {
  const subscriber = await world.newSubscriber()
  const list = async () => (await world.list(subscriber)).json().data
  expect(await list()).toEqual([])
  await world.subscribe(subscriber, await subscriber.body())
  await world.subscribe(
    subscriber,
    await subscriber.body({ allowance: '10000000' }, { plan: 'PREMIUM_LISTING' }),
  )
  expect(await list()).toMatchObject([
    { plan: 'AGENT_QUOTA', status: 'ACTIVE' },
    { plan: 'PREMIUM_LISTING', status: 'ACTIVE' },
  ])
})

test('a response that was lost is given again under its Idempotency-Key, without a second charge', async () => {
  const subscriber = await world.newSubscriber()
  const body = await subscriber.body()
  const key = { 'idempotency-key': 'subscribe-once' }
  const first = await world.subscribe(subscriber, body, key)
  const again = await world.subscribe(subscriber, body, key)
  expect([first.statusCode, again.statusCode]).toEqual([201, 201])
  expect(again.json()).toEqual(first.json())
  expect((await world.pulledFrom(subscriber.account.address)).chain).toBe(PRICE)
})

test('five identical calls at once make one subscription and one charge', async () => {
  const subscriber = await world.newSubscriber()
  const body = await subscriber.body()
  const responses = await Promise.all(Array.from({ length: 5 }, () => world.subscribe(subscriber, body)))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201, 201])
  expect(new Set(responses.map((response) => response.json().data.id)).size).toBe(1)
  expect((await world.pulledFrom(subscriber.account.address)).chain).toBe(PRICE)
})

describe('refused, and nothing charged', () => {
  const refused = async (
    changes: object,
    expected: { status: number; code: string; path?: string },
    terms: object = {},
    more: object = {},
  ) => {
    const subscriber = await world.newSubscriber(50_000_000n)
    const body = { ...(await subscriber.body(changes, terms)), ...more }
    const response = await world.subscribe(subscriber, body)
    expect([response.statusCode, response.json().error.code]).toEqual([expected.status, expected.code])
    if (expected.path) expect(response.json().error.details.issues[0].path).toBe(expected.path)
    expect(await world.pulledFrom(subscriber.account.address)).toEqual({ chain: 0n, journal: 0n })
    expect((await world.read(subscriber)).statusCode).toBe(404)
  }
  const invalid = (field: string) => ({
    status: 400,
    code: 'VALIDATION_ERROR',
    path: `/${field.replaceAll('.', '/')}`,
  })
  const other = `0x${'12'.repeat(20)}`

  test('a price that is not the plan’s', () =>
    refused({ allowance: '9999999' }, { status: 400, code: 'PRICE_MISMATCH' }))
  test('no quota', () => refused({}, invalid('agentQuota'), {}, { agentQuota: undefined }))
  test('another spender', () => refused({ spender: other }, invalid('permission.spender')))
  test('another token', () => refused({ token: other }, invalid('permission.token')))
  test('an end in the past', () => refused({ end: 1_700_000_000, start: 0 }, invalid('permission.end')))
  test('a start too far ahead', () =>
    refused({ start: world.chaos.now() + 32 * DAY }, invalid('permission.start')))
  test.each([3600, 32 * DAY])('a period of %i seconds', (period) =>
    refused({ period }, invalid('permission.period')),
  )
  test('a salt beyond 256 bits', () => {
    const salt = '9'.repeat(78)
    return refused({}, invalid('permission.salt'), {}, { permission: { ...world.permissionOf(other), salt } })
  })
  test('a permission of someone else’s account', async () => {
    const subscriber = await world.newSubscriber()
    const body = await subscriber.body()
    await refused({}, invalid('permission.account'), {}, body)
  })
  test('a wrong signature', async () => {
    const subscriber = await world.newSubscriber()
    const body = await subscriber.body()
    const wrong = { ...body, permission: { ...body.permission, salt: '777' } }
    const response = await world.subscribe(subscriber, wrong)
    expect(response.json().error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: '/signature' }] },
    })
  })
  test('a plain wallet, with the reason', async () => {
    const subscriber = await world.newSubscriber()
    await world.fund(subscriber.key.address, 50_000_000n)
    const permission = world.permissionOf(subscriber.key.address)
    const { types, ...typedData } = world.chain.spendPermissions.typedDataOf({
      ...permission,
      account: subscriber.key.address,
      spender: world.chain.checksumAddress(permission.spender),
      token: world.chain.checksumAddress(permission.token),
      allowance: BigInt(permission.allowance),
      salt: BigInt(permission.salt),
      extraData: '0x',
    })
    const { EIP712Domain: _domain, ...own } = types
    const signature = await subscriber.key.signTypedData({ ...typedData, types: own })
    const response = await world.subscribe(subscriber, {
      plan: 'AGENT_QUOTA',
      agentQuota: 10,
      permission,
      signature,
    })
    expect(response.json().error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('plain wallet'),
      details: { issues: [{ path: '/permission/account' }] },
    })
  })
  test('a wallet that the manager does not own', async () => {
    const subscriber = await world.newSubscriber(50_000_000n, { isPullable: false })
    const response = await world.subscribe(subscriber, await subscriber.body())
    expect(response.json().error.details.issues).toEqual([
      { path: '/permission/account', message: expect.stringContaining('SpendPermissionManager') },
    ])
  })
  test('too little money: 422, no subscription, and the same body works once there is enough', async () => {
    const subscriber = await world.newSubscriber(9_999_999n)
    const body = await subscriber.body()
    const response = await world.subscribe(subscriber, body)
    expect(response.statusCode).toBe(422)
    expect(response.json().error).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      details: { available: '9999999', required: '10000000' },
    })
    expect((await world.read(subscriber)).statusCode).toBe(404)
    await world.fund(subscriber.account.address, 1n)
    expect((await world.subscribe(subscriber, body)).statusCode).toBe(201)
  })
})

describe('a permission serves one subscription of one owner, forever', () => {
  test('another owner’s is refused, before and after its owner used it', async () => {
    const [owner, thief] = [await world.newSubscriber(), await world.newSubscriber()]
    const body = await owner.body()
    const before = await world.subscribe(thief, body)
    expect(before.json().error.details.issues[0].path).toBe('/permission/account')
    expect((await world.subscribe(owner, body)).statusCode).toBe(201)
    const after = await world.subscribe(thief, body)
    expect([after.statusCode, after.json().error.details.issues[0].path]).toEqual([400, '/permission'])
    expect((await world.pulledFrom(owner.account.address)).chain).toBe(PRICE)
    expect((await world.read(thief)).statusCode).toBe(404)
  })

  test('a replay is refused, also after a cancellation', async () => {
    const subscriber = await world.newSubscriber()
    const body = await subscriber.body()
    await world.subscribe(subscriber, body)
    expect((await world.subscribe(subscriber, body)).json().error.code).toBe('VALIDATION_ERROR')
    await world.cancel(subscriber)
    expect((await world.subscribe(subscriber, body)).json().error.code).toBe('VALIDATION_ERROR')
    expect((await world.pulledFrom(subscriber.account.address)).chain).toBe(PRICE)
  })

  test('a second live subscription of a plan is a conflict', async () => {
    const subscriber = await world.newSubscriber()
    await world.subscribe(subscriber, await subscriber.body())
    const response = await world.subscribe(subscriber, await subscriber.body())
    expect([response.statusCode, response.json().error.code]).toEqual([409, 'CONFLICT'])
  })
})

test('KYC comes before everything else', async () => {
  const response = await world.subscribe(await world.newOwner({ kycStatus: 'PENDING' }), {})
  expect([response.statusCode, response.json().error.code]).toEqual([403, 'KYC_REQUIRED'])
})

test('a payment that is slow is 202 and never charged twice', async () => {
  const hasty = await startSubscriptions({ waitMs: 0 })
  const subscriber = await hasty.newSubscriber()
  const body = await subscriber.body()
  hasty.chaos.setWeather('slow')
  const response = await hasty.subscribe(subscriber, body)
  expect([response.statusCode, response.json().data.status]).toEqual([202, 'TRIALING'])
  hasty.chaos.setWeather('fair')
  await hasty.chaos.mine()
  await hasty.runUntilIdle()
  expect((await hasty.read(subscriber)).json().data.status).toBe('ACTIVE')
  expect((await hasty.pulledFrom(subscriber.account.address)).chain).toBe(PRICE)
  await hasty.close()
})
