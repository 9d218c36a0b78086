import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeBase64Json } from '../base64.ts'
import { createTestClient, testAccount } from '../testing/createTestClient.ts'
import { agentWallet, startSmallMarketplace, usdcAddress } from '../testing/startSmallMarketplace.ts'

let market: Awaited<ReturnType<typeof startSmallMarketplace>>
beforeEach(async () => {
  market = await startSmallMarketplace()
})
afterEach(() => market.close())

const payPath = '/api/jobs/cjob1/pay'
const order = { agentId: 'cagent123', title: 'Proofread', description: 'All of it.', agreedPrice: '25000000' }
const headersSent = () =>
  market
    .seenAt(payPath)
    .map(({ headers }) => headers['payment-signature'])
    .filter((header) => header !== undefined)

test('hiring below 100 USDC pays by x402 in one call', async () => {
  const { client } = createTestClient({ baseUrl: market.url })
  expect((await client.hire(order)).status).toBe('IN_PROGRESS')
  expect(market.payments).toHaveLength(1)
})

describe('a payment whose outcome is not known', () => {
  test.each(['drop', 'lose', 'halve'] as const)('is sent again as it was signed: %s', async (fault) => {
    const { client } = createTestClient({ baseUrl: market.url })
    await client.createJob(order)
    const asked = market.handlers[`POST ${payPath}`]
    market.handlers[`POST ${payPath}`] = (seen) => {
      if (headersSent().length === 0) market.befall(payPath, fault, fault, { status: 503 })
      return asked?.(seen) ?? market.challenge()
    }
    expect((await client.payJob('cjob1')).status).toBe('IN_PROGRESS')
    expect(market.payments).toHaveLength(1)
    expect(headersSent()).toHaveLength(4)
    expect(new Set(headersSent()).size).toBe(1)
  })

  test('is not signed again by a later call either', async () => {
    const { client } = createTestClient({ baseUrl: market.url, retry: { attempts: 2 } })
    const { job } = await client.createJob(order)
    const asked = market.handlers[`POST ${payPath}`]
    market.handlers[`POST ${payPath}`] = (seen) => {
      if (headersSent().length === 0) market.befall(payPath, 'drop', 'drop')
      return asked?.(seen) ?? market.challenge()
    }
    await expect(client.payJob(job.id)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect((await client.payJob(job.id)).status).toBe('IN_PROGRESS')
    expect(headersSent()).toHaveLength(3)
    expect(new Set(headersSent()).size).toBe(1)
  })
})

test('a slow settlement is reported as pending, and retried with the same signature', async () => {
  const { client } = createTestClient({ baseUrl: market.url })
  const asked = market.handlers[`POST ${payPath}`]
  market.handlers[`POST ${payPath}`] = (seen) => {
    const isFirstPayment = seen.headers['payment-signature'] !== undefined && headersSent().length === 1
    if (!isFirstPayment) return asked?.(seen) ?? market.challenge()
    return { status: 202, json: { data: { job: { id: 'cjob1', status: 'PENDING' } } } }
  }
  expect((await client.hire(order)).status).toBe('PENDING')
  expect((await client.payJob('cjob1')).status).toBe('IN_PROGRESS')
  expect(headersSent()).toHaveLength(2)
  expect(new Set(headersSent()).size).toBe(1)
})

test('a rejected payment is reported, and the next call signs a new one', async () => {
  const { client } = createTestClient({ baseUrl: market.url })
  const asked = market.handlers[`POST ${payPath}`]
  market.handlers[`POST ${payPath}`] = (seen) => {
    const isFirstPayment = seen.headers['payment-signature'] !== undefined && headersSent().length === 1
    if (!isFirstPayment) return asked?.(seen) ?? market.challenge()
    const error = { code: 'PAYMENT_REQUIRED', message: 'No.', details: { reason: 'insufficient_funds' } }
    return { status: 402, json: { error } }
  }
  const details = { reason: 'insufficient_funds', jobId: 'cjob1' }
  await expect(client.hire(order)).rejects.toMatchObject({ code: 'PAYMENT_REQUIRED', details })
  await client.payJob('cjob1')
  expect(new Set(headersSent()).size).toBe(2)
})

describe('nothing is signed that was not agreed to', () => {
  const stranger = '0x00000000000000000000000000000000000000Ff'
  test.each([
    ['amount', { amount: '25000001' }],
    ['payTo', { payTo: stranger }],
    ['token', { asset: stranger }],
    ['domain', { extra: { name: 'Wrapped USDC', version: '2' } }],
    ['validBefore', { maxTimeoutSeconds: 1_000_000 }],
  ])('another %s', async (name, change) => {
    const { client } = createTestClient({ baseUrl: market.url })
    Object.assign(market.offer, change)
    const refusal = { code: 'UNEXPECTED_PAYMENT', details: { differences: [name], jobId: 'cjob1' } }
    await expect(client.hire(order)).rejects.toMatchObject(refusal)
    expect(headersSent()).toEqual([])
  })

  test('a challenge that is none', async () => {
    const { client } = createTestClient({ baseUrl: market.url })
    market.handlers[`POST ${payPath}`] = () => ({ status: 402, json: {} })
    await expect(client.hire(order)).rejects.toMatchObject({ code: 'UNEXPECTED_PAYMENT' })
  })
})

test('the header is the one that the stock client writes', async () => {
  const { client } = createTestClient({ baseUrl: market.url })
  await client.hire(order)
  const required = decodeBase64Json(market.challenge().headers?.['payment-required'] ?? '')
  const stock = new x402Client().register('eip155:31337', new ExactEvmScheme(testAccount)).setSpendControls({
    maxAmountPerPayment: '$100',
    allowedAssets: [{ network: 'eip155:31337', asset: usdcAddress }],
  })
  const theirs = await stock.createPaymentPayload(
    required as Parameters<(typeof stock)['createPaymentPayload']>[0],
  )
  const ours = decodeBase64Json(String(headersSent()[0]))
  const hex = (length: number) => expect.stringMatching(new RegExp(`^0x[0-9a-f]{${length}}$`))
  const authorization = {
    from: testAccount.address,
    to: agentWallet,
    value: '25000000',
    validAfter: '0',
    validBefore: expect.stringMatching(/^[0-9]{10}$/),
    nonce: hex(64),
  }
  const shape = { ...theirs, payload: { authorization, signature: hex(130) } }
  expect(theirs).toEqual(shape)
  expect(ours).toEqual(shape)
})
