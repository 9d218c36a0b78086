import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Subscriber,
  startSubscriptions,
} from '../../../../server/src/features/subscriptions/testing/start-subscriptions.ts'
import {
  createMarketplaceClient,
  type MarketplaceClient,
  type MarketplaceClientOptions,
  type Signer,
} from '../../index.ts'

let world: Awaited<ReturnType<typeof startSubscriptions>>
let baseUrl: string
beforeAll(async () => {
  world = await startSubscriptions({ isWorking: true })
  baseUrl = await world.http.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())

const fund = ({ account }: Subscriber) => world.fund(account.address, 100_000_000n)

interface ClientOptions {
  usdc?: string
  /** The service hears every POST, and none of its responses comes back. */
  losesResponses?: boolean
  /** What a hostile service would do to its quotes. */
  forge?: (quote: Quote) => void
  onSign?: MarketplaceClientOptions['onSign']
}

type Quote = Awaited<ReturnType<MarketplaceClient['quoteSubscription']>>

function clientOf({ key, headers }: Subscriber, options: ClientOptions = {}): MarketplaceClient {
  return createMarketplaceClient({
    baseUrl,
    account: key,
    apiKey: headers.authorization.replace('Bearer ', ''),
    retry: { attempts: 1 },
    onSign: options.onSign,
    async fetch(input, init) {
      const response = await fetch(input, init)
      if (options.usdc && String(input).endsWith('/api/config')) {
        const { data } = await response.json()
        return Response.json({ data: { ...data, contracts: { ...data.contracts, usdc: options.usdc } } })
      }
      if (options.forge && String(input).includes('/quote')) {
        const { data } = await response.json()
        options.forge(data)
        return Response.json({ data })
      }
      if (options.losesResponses && init?.method === 'POST') throw new TypeError('the line is cut')
      return response
    },
  })
}

/** Counts what a smart account signs. */
function countSignatures(account: Signer) {
  const signed: unknown[] = []
  const payer: Signer = {
    ...account,
    signTypedData(typedData) {
      signed.push(typedData)
      return account.signTypedData(typedData)
    },
  }
  return { payer, signed }
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

describe('with a key of the caller’s own', () => {
  const idempotencyKey = 'plan-of-october'

  test('a call whose response was lost succeeds when it is repeated, by a new client too', async () => {
    const subscriber = await world.newSubscriber()
    const { payer, signed } = countSignatures(subscriber.account)
    const choice = { plan: 'AGENT_QUOTA', agentQuota: 10 } as const
    const options = { payer, idempotencyKey }
    const cut = clientOf(subscriber, { losesResponses: true })
    const first = await cut.subscribe(choice, options)
    const client = clientOf(subscriber)
    expect(await client.subscribe(choice, options)).toEqual(first)
    const { id, status, nextEligibleAt } = await client.getSubscription()
    expect(first).toEqual({ id, plan: 'AGENT_QUOTA', status, paymentRail: 'ONCHAIN', nextEligibleAt })
    expect(signed).toHaveLength(1)

    const upgraded = await cut.upgradeSubscription(20, options)
    expect(await client.upgradeSubscription(20, options)).toEqual(upgraded)
    expect(upgraded).toMatchObject({ id, agentQuota: 20 })
    expect(signed).toHaveLength(2)
  })

  test('several at once are one subscription', async () => {
    const subscriber = await world.newSubscriber()
    const client = clientOf(subscriber)
    const options = { payer: subscriber.account, idempotencyKey }
    const all = await Promise.all(
      Array.from({ length: 3 }, () => client.subscribe({ plan: 'PREMIUM_LISTING' }, options)),
    )
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
  })

  test('a refusal stays one, and what was refused can be tried again', async () => {
    const subscriber = await world.newSubscriber(0n)
    const client = clientOf(subscriber)
    const options = { payer: subscriber.account, idempotencyKey }
    const attempt = () => client.subscribe({ plan: 'PREMIUM_LISTING' }, options)
    await expect(attempt()).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    await fund(subscriber)
    expect((await attempt()).status).toBe('ACTIVE')
  })

  test('another quota is no repetition', async () => {
    const subscriber = await world.newSubscriber()
    const client = clientOf(subscriber)
    const options = { payer: subscriber.account, idempotencyKey }
    await client.subscribe({ plan: 'AGENT_QUOTA', agentQuota: 10 }, options)
    const other = client.subscribe({ plan: 'AGENT_QUOTA', agentQuota: 5 }, options)
    await expect(other).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

test('without one, a plan that runs is refused', async () => {
  const subscriber = await world.newSubscriber()
  const client = clientOf(subscriber)
  const subscribe = () => client.subscribe({ plan: 'PREMIUM_LISTING' }, { payer: subscriber.account })
  await subscribe()
  await expect(subscribe()).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('a plain wallet cannot be pulled from, and the error says so', async () => {
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

describe('a permission is signed only as it was ordered', () => {
  const stranger = '0x00000000000000000000000000000000000000Ff'
  /** In the text to sign and beside it: a service that cheats does so consistently. */
  const set = (field: string, value: unknown) => (quote: Quote) => {
    Object.assign(quote.typedData.message, { [field]: value })
    Object.assign(quote.permission, { [field]: value })
  }
  test.each<[string, (quote: Quote) => void]>([
    ['account', set('account', stranger)],
    ['spender', set('spender', stranger)],
    ['token', set('token', stranger)],
    ['allowance', set('allowance', '999000000')],
    ['period', set('period', 86_400)],
    ['start', set('start', 1)],
    ['end', set('end', 1)],
    ['salt', set('salt', '-1')],
    ['extraData', set('extraData', '0xdeadbeef')],
    ['plan', (quote) => Object.assign(quote, { plan: 'ENTERPRISE' })],
    ['agentQuota', (quote) => Object.assign(quote, { agentQuota: 50 })],
    ['chainId', ({ typedData }) => Object.assign(typedData.domain, { chainId: 1 })],
    [
      'verifyingContract',
      ({ typedData }) => Object.assign(typedData.domain, { verifyingContract: stranger }),
    ],
    ['domain', ({ typedData }) => Object.assign(typedData.domain, { name: 'Permit2' })],
    ['primaryType', ({ typedData }) => Object.assign(typedData, { primaryType: 'Permit' })],
    ['types', ({ typedData }) => typedData.types.SpendPermission?.reverse()],
    ['permission', ({ permission }) => Object.assign(permission, { period: 1 })],
  ])('%s', async (difference, forge) => {
    const { payer, signed } = countSignatures(subscriber.account)
    const attempt = clientOf(subscriber, { forge }).subscribe(
      { plan: 'AGENT_QUOTA', agentQuota: 10 },
      { payer },
    )
    await expect(attempt).rejects.toMatchObject({
      code: 'UNEXPECTED_PAYMENT',
      details: { differences: [difference] },
    })
    expect(signed).toEqual([])
  })

  test('and after the caller has seen it', async () => {
    const { payer, signed } = countSignatures(subscriber.account)
    const shown: unknown[] = []
    const onSign = (request: unknown) => {
      shown.push(request)
      throw new Error('not today')
    }
    const attempt = clientOf(subscriber, { onSign }).subscribe({ plan: 'PREMIUM_LISTING' }, { payer })
    await expect(attempt).rejects.toThrow('not today')
    expect(shown).toMatchObject([
      {
        kind: 'spendPermission',
        typedData: { primaryType: 'SpendPermission', message: { account: payer.address, period: 2_592_000 } },
      },
    ])
    expect(signed).toEqual([])
  })

  let subscriber: Subscriber
  beforeAll(async () => {
    subscriber = await world.newSubscriber(0n)
  })
})
