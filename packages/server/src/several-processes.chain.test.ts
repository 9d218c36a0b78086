import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from './app.ts'
import { openEventStream } from './features/notifications/testing/open-event-stream.ts'
import { startX402, type TestX402 } from './features/payments/testing/start-x402.ts'
import { wallClock } from './platform/clock/clock.ts'
import { createRedisRateLimiter } from './platform/http/limits/rate-limit-redis.ts'
import type { EmbeddedChain } from './ports/chain/embedded.ts'
import { hasRedis, startTestRedis, type TestRedis } from './testing/processes/redis-server.ts'
import { type SentRequest, signIn } from './testing/sign-in.ts'
import { signPayment } from './testing/sign-payment.ts'
import { adminWallet } from './testing/start-world.ts'
import { startTestChain } from './testing/test-chain.ts'

describe.runIf(hasRedis)('two API processes and two workers on one database', () => {
  let redis: TestRedis
  let chain: EmbeddedChain
  let here: TestX402
  let there: App
  let workers: App[]

  beforeAll(async () => {
    redis = await startTestRedis()
    chain = await startTestChain()
    const role = (ROLE: 'api' | 'worker') => ({
      isWorking: true,
      environment: { ROLE, RATE_LIMITS: 'on' },
      ports: ({ log }: { log: Parameters<typeof createRedisRateLimiter>[0]['log'] }) => ({
        limiter: createRedisRateLimiter({ url: redis.url, clock: wallClock, log }),
      }),
    })
    here = await startX402({ chain, ...role('api') })
    there = await here.startBeside(role('api'))
    workers = [await here.startBeside(role('worker')), await here.startBeside(role('worker'))]
  })
  afterAll(async () => {
    await here.close()
    await chain.close()
    await redis.remove()
  })

  const statusThere = async (request: SentRequest) => (await there.http.inject(request)).statusCode
  const sessionOf = (headers: Record<string, string>) => ({ url: '/api/auth/session', headers })

  test('a worker says how it is, and serves nothing else', async () => {
    for (const worker of workers) {
      expect((await worker.http.inject('/health/live')).statusCode).toBe(200)
      expect((await worker.http.inject('/health/ready')).statusCode).toBe(200)
      expect((await worker.http.inject('/metrics')).statusCode).toBe(200)
      for (const url of ['/api/config', '/', '/docs', '/api/nothing']) {
        const reply = await worker.http.inject(url)
        expect([url, reply.statusCode, reply.json().error.code]).toEqual([url, 421, 'MISDIRECTED_REQUEST'])
      }
    }
  })

  test('a session of one holds on the other, and ends there at once', async () => {
    const { bearer } = await signIn(here.http)
    expect(await statusThere(sessionOf(bearer))).toBe(200)
    const out = await here.http.inject({ method: 'POST', url: '/api/auth/logout', headers: bearer })
    expect(out.statusCode).toBe(200)
    // The database announces it, and the other process reads that a moment later.
    await expect.poll(() => statusThere(sessionOf(bearer))).toBe(401)
  })

  test('a process that cannot hear of changes takes no session from memory', async () => {
    const { promise: cut, resolve: cutOff } = Promise.withResolvers<() => void>()
    const deaf = await here.startBeside({
      ports: ({ db }) => ({
        db: {
          ...db,
          listen: (channel, onMessage, onGap, onLost) => {
            if (channel === 'session_changed' && onLost) cutOff(onLost)
            return db.listen(channel, channel === 'session_changed' ? () => undefined : onMessage, onGap)
          },
        },
      }),
    })
    const { bearer } = await signIn(here.http)
    const statusOf = async () => (await deaf.http.inject(sessionOf(bearer))).statusCode
    expect(await statusOf()).toBe(200)
    const lose = await cut
    lose()
    expect(await statusOf()).toBe(200)
    await here.http.inject({ method: 'POST', url: '/api/auth/logout', headers: bearer })
    expect(await statusOf()).toBe(401)
  })

  test('an owner who is suspended at one is refused at the other at once', async () => {
    const buyer = await here.newOwner()
    const agent = await here.newAgent(await here.newOwner())
    const admin = await signIn(here.http, adminWallet)
    const hire = {
      method: 'POST',
      url: '/api/jobs',
      headers: buyer.headers,
      payload: { agentId: agent.id, title: 'Read it', description: 'All of it.', agreedPrice: '150000000' },
    } as const
    expect(await statusThere(hire)).toBe(201)
    const suspended = await here.http.inject({
      method: 'POST',
      url: `/api/admin/owners/${buyer.ownerId}/suspend`,
      headers: admin.bearer,
      payload: { reason: 'Sells what is not theirs.' },
    })
    expect(suspended.statusCode).toBe(200)
    await expect.poll(() => statusThere(hire)).toBe(403)
  })

  test('an API key and its limits hold on both, follow the plan, and end at once', async () => {
    const { ownerId, headers } = await here.newOwner()
    await here.openPlan(ownerId, 'API_ACCESS')
    const made = await here.http.inject({
      method: 'POST',
      url: '/api/api-keys',
      headers,
      payload: { name: 'Both' },
    })
    const { id, key } = made.json().data
    const asKey = { authorization: `Bearer ${key}` }
    const limitThere = async () => (await there.http.inject(sessionOf(asKey))).headers['x-ratelimit-limit']
    expect(await limitThere()).toBe('1000')
    await here.openPlan(ownerId, 'ENTERPRISE')
    expect(await limitThere()).toBe('10000')
    await here.http.inject({ method: 'DELETE', url: `/api/api-keys/${id}`, headers })
    expect(await statusThere(sessionOf(asKey))).toBe(401)
  })

  test('calls are counted together', async () => {
    const { bearer } = await signIn(here.http)
    const left = async ({ http }: Pick<App, 'http'>) =>
      Number((await http.inject(sessionOf(bearer))).headers['x-ratelimit-remaining'])
    // A window may end in between, and a busy machine may keep Redis from replying in time; counted apart it never comes out.
    const counted = async () => {
      const first = await left(here)
      return [first - (await left(there)), first - (await left(here)), first - (await left(there))]
    }
    await expect.poll(counted).toEqual([1, 2, 3])
  })

  test('one Idempotency-Key at both at once makes one webhook', async () => {
    const { headers } = await here.newOwner()
    const request = {
      method: 'POST',
      url: '/api/webhooks',
      headers: { ...headers, 'idempotency-key': 'one-for-both-processes' },
      payload: { url: 'https://hooks.example.com/once' },
    } as const
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => (turn % 2 ? here : there).http.inject(request)),
    )
    expect(new Set(replies.map((reply) => reply.json().data.id)).size).toBe(1)
    const listed = await there.http.inject({ url: '/api/webhooks', headers })
    expect(listed.json().data).toHaveLength(1)
  })

  test('a page that everyone reads shows a change of the other process within a second', async () => {
    const owner = await here.newOwner({ kycStatus: 'VERIFIED' })
    const { wallet } = await here.newAgent(owner, { name: 'Page Turner' })
    const url = `/api/agents/${wallet}`
    const nameThere = async () => (await there.http.inject(url)).json().data.name
    expect(await nameThere()).toBe('Page Turner')
    const changed = await here.http.inject({
      method: 'PATCH',
      url,
      headers: owner.headers,
      payload: { name: 'Leaf Turner' },
    })
    expect(changed.statusCode).toBe(200)
    here.wallClock.advance(1)
    expect(await nameThere()).toBe('Leaf Turner')
  })

  test('a payment taken by one API process is sent by a worker, and is live at the other', async () => {
    const owner = await here.newOwner()
    const buyer = await here.newBuyer()
    const payment = await signPayment(here, buyer, await here.offerFor())
    const base = await there.http.listen({ port: 0, host: '127.0.0.1' })
    const token = owner.headers.authorization.replace('Bearer ', '')
    const stream = await openEventStream(`${base}/api/notifications/stream`, { token })

    const paid = await here.callFee(owner, payment)
    expect([paid.statusCode, paid.json().data.payment.status]).toEqual([200, 'SETTLED'])
    expect((await stream.next()).event).toBe('notification')
    expect(await here.chain.usdc.balanceOf(buyer.address)).toBe(45_000_000n)
    stream.leave()

    // With one worker gone the other goes on, and the same payment at the other process moves nothing.
    await workers[0]?.close()
    const again = await here.callFee(owner, payment, there)
    expect(again.statusCode).toBe(200)
    const other = await here.newBuyer()
    const next = await here.newOwner()
    const second = await here.callFee(next, await signPayment(here, other, await here.offerFor()), there)
    expect([second.statusCode, second.json().data.payment.status]).toEqual([200, 'SETTLED'])
    expect(await here.chain.usdc.balanceOf(buyer.address)).toBe(45_000_000n)
  })
})
