import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isMarketplaceError, MarketplaceError } from '../errors.ts'
import { createTestClient, testAccount } from '../testing/createTestClient.ts'
import type { Fault } from '../testing/startFaultyServer.ts'
import { startSmallMarketplace } from '../testing/startSmallMarketplace.ts'

let market: Awaited<ReturnType<typeof startSmallMarketplace>>
beforeEach(async () => {
  market = await startSmallMarketplace()
})
afterEach(() => market.close())

const order = { agentId: 'cagent123', title: 'Proofread', description: 'All of it.', agreedPrice: '25000000' }
const failureOf = async (call: Promise<unknown>): Promise<MarketplaceError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isMarketplaceError(error)) throw new Error('it did not fail as expected', { cause: error })
  return error
}

describe('a POST is done once', () => {
  const faults: [string, Fault][] = [
    ['the connection drops before it arrives', 'drop'],
    ['it is done and the response is lost', 'lose'],
    ['it is done and the response breaks off', 'halve'],
    ['429', { status: 429, headers: { 'retry-after': '1' } }],
    ['503', { status: 503 }],
    ['500', { status: 500 }],
    ['a proxy returns 502', { status: 502 }],
  ]
  test.each(faults)('when %s', async (_, fault) => {
    const { client } = createTestClient({ baseUrl: market.url })
    market.befall('/api/jobs', fault, fault, fault)
    const { job } = await client.createJob(order)
    expect(job.id).toBe('cjob1')
    expect(market.jobs).toHaveLength(1)
    const keys = market.seenAt('/api/jobs').map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(4)
    expect(new Set(keys).size).toBe(1)
  })

  test('two calls are two jobs, and two calls with one key are one', async () => {
    const { client } = createTestClient({ baseUrl: market.url })
    await client.createJob(order)
    await client.createJob(order)
    expect(market.jobs).toHaveLength(2)
    await client.createJob(order, { idempotencyKey: 'my-key' })
    await client.createJob(order, { idempotencyKey: 'my-key' })
    expect(market.jobs).toHaveLength(3)
  })
})

describe('waiting', () => {
  test('doubles, stays below its limit and gives up after five attempts', async () => {
    const { client, sleptMs } = createTestClient({ baseUrl: market.url, retry: { maxDelayMs: 900 } })
    await client.signIn()
    market.befall('/api/jobs', 'drop', 'drop', 'drop', 'drop', 'drop', 'drop')
    const error = await failureOf(client.createJob(order))
    expect([error.code, error.status, error.retryable]).toEqual(['NETWORK_ERROR', 0, true])
    expect(sleptMs).toEqual([250, 500, 900, 900])
    expect(market.seenAt('/api/jobs')).toHaveLength(5)
  })

  test('is as long as Retry-After says, and not for longer than a minute', async () => {
    const { client, sleptMs } = createTestClient({ baseUrl: market.url })
    market.befall('/api/jobs', { status: 429, headers: { 'retry-after': '7' } })
    await client.createJob(order)
    expect(sleptMs).toEqual([7000])
    market.befall('/api/jobs', { status: 429, headers: { 'retry-after': '3600' } })
    const error = await failureOf(client.createJob(order))
    expect([error.code, error.details]).toEqual(['RATE_LIMIT_EXCEEDED', { retryAfterSeconds: 3600 }])
    expect(sleptMs).toEqual([7000])
  })

  test('is spread by chance over half its length', async () => {
    const { client, sleptMs } = createTestClient({ baseUrl: market.url, random: () => 0 })
    market.befall('/api/jobs', { status: 503 }, { status: 503 })
    await client.createJob(order)
    expect(sleptMs).toEqual([125, 250])
  })

  test('ends with the signal', async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const clock = { nowMs: () => Date.parse(market.time.issuedAt), sleep: async () => stop.abort(reason) }
    const { client } = createTestClient({ baseUrl: market.url, clock })
    market.befall('/api/jobs', 'drop', 'drop')
    await expect(client.createJob(order, { signal: stop.signal })).rejects.toBe(reason)
    expect(market.seenAt('/api/jobs')).toHaveLength(1)
  })

  test('a service that says nothing is given up after the time limit', async () => {
    market.handlers['GET /api/jobs/cjob1'] = () => new Promise(() => {})
    const { client } = createTestClient({ baseUrl: market.url, timeoutMs: 500, retry: { attempts: 2 } })
    expect((await failureOf(client.getJob('cjob1'))).code).toBe('NETWORK_ERROR')
    expect(market.seenAt('/api/jobs/cjob1')).toHaveLength(2)
  })
})

test('a failure that stays is thrown at once, with all that the service says', async () => {
  const { client, sleptMs } = createTestClient({ baseUrl: market.url })
  const error = await failureOf(client.getJob('cnothing'))
  expect(error).toBeInstanceOf(MarketplaceError)
  expect(error).toMatchObject({
    code: 'NOT_FOUND',
    status: 404,
    message: 'It says NOT_FOUND.',
    requestId: 'request-NOT_FOUND',
    retryable: false,
  })
  expect(sleptMs).toEqual([])
})

describe('the session', () => {
  const verifications = () => market.seenAt('/api/auth/verify-signature').length

  test('is opened by the first call that needs it, once for all that start together', async () => {
    const { client } = createTestClient({ baseUrl: market.url })
    await client.getConfig()
    expect(verifications()).toBe(0)
    await Promise.all([client.createJob(order), client.createJob(order), client.createJob(order)])
    expect(verifications()).toBe(1)
    expect(market.jobs).toHaveLength(3)
  })

  test('is opened again when the service no longer takes it', async () => {
    const { client } = createTestClient({ baseUrl: market.url })
    await client.createJob(order)
    market.endSessions()
    await Promise.all([client.createJob(order), client.createJob(order)])
    expect(market.jobs).toHaveLength(3)
    const keys = market.seenAt('/api/jobs').map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(3)
  })

  test('is opened again shortly before its end', async () => {
    const { client, pass } = createTestClient({ baseUrl: market.url })
    await client.createJob(order)
    pass(24 * 3600 * 1000 - 61_000)
    await client.createJob(order)
    expect(verifications()).toBe(1)
    pass(2_000)
    Object.assign(market.time, { issuedAt: '2026-11-16T09:00:00Z', expiresAt: '2026-11-16T09:05:00Z' })
    await client.createJob(order)
    expect(verifications()).toBe(2)
  })

  test('survives a lost response with a new nonce', async () => {
    const { client } = createTestClient({ baseUrl: market.url })
    market.befall('/api/auth/verify-signature', 'lose')
    await client.createJob(order)
    expect(market.seenAt('/api/auth/request-nonce')).toHaveLength(2)
    expect(market.jobs).toHaveLength(1)
  })

  test('can be kept and taken up again', async () => {
    const kept: unknown[] = []
    const first = createTestClient({ baseUrl: market.url, onSession: (session) => kept.push(session) })
    const session = await first.client.signIn()
    expect(kept).toEqual([session])
    const second = createTestClient({ baseUrl: market.url, session })
    await second.client.createJob(order)
    expect(verifications()).toBe(1)
  })

  test('is refused for good when the signature is wrong', async () => {
    const account = { ...testAccount, signMessage: () => testAccount.signMessage({ message: 'other' }) }
    const { client } = createTestClient({ baseUrl: market.url, account })
    expect((await failureOf(client.createJob(order))).code).toBe('UNAUTHORIZED')
    expect(verifications()).toBe(1)
  })

  test('needs an account', async () => {
    const { client } = createTestClient({ baseUrl: market.url, account: undefined })
    expect((await failureOf(client.createJob(order))).code).toBe('UNAUTHORIZED')
    expect(market.seen).toEqual([])
  })
})

describe('a response as the service never sends one', () => {
  test.each([301, 302, 307, 308])(
    'a redirect (%s) is not followed, and nothing reaches the other site',
    async (status) => {
      const elsewhere = await startSmallMarketplace()
      const { client } = createTestClient({ baseUrl: market.url })
      await client.signIn()
      market.befall('/api/jobs', { status, headers: { location: `${elsewhere.url}/api/jobs` } })
      const error = await failureOf(client.createJob(order))
      expect(error).toMatchObject({
        code: 'UNEXPECTED_RESPONSE',
        details: { location: `${elsewhere.url}/api/jobs` },
      })
      expect([market.seenAt('/api/jobs').length, elsewhere.seen]).toEqual([1, []])
      await elsewhere.close()
    },
  )

  test.each(['getConfig', 'downloadFile'] as const)(
    'one without end does not fill the memory: %s',
    async (name) => {
      let pieces = 0
      const endless = () =>
        new ReadableStream<Uint8Array>({
          pull(controller) {
            pieces += 1
            // Without a limit the test would end here.
            if (pieces > 200) controller.close()
            else controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20))
          },
        })
      const { client } = createTestClient({
        baseUrl: 'http://localhost',
        apiKey: 'amk_test',
        fetch: async () => new Response(endless()),
      })
      const error = await failureOf(name === 'getConfig' ? client.getConfig() : client.downloadFile('bafy'))
      expect(error.code).toBe('UNEXPECTED_RESPONSE')
      expect(pieces).toBeLessThan(70)
    },
  )
})
