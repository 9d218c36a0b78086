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

/**
 * Everything that one process changes and another must follow, with when it holds there. Each row is the name of a test;
 * a row without a test, or a test of what is shared without a row, fails.
 */
const shared = {
  'a session of one holds on the other, and ends there': 'as soon as the database announces it',
  'signing out at one ends the live stream at the other': 'as soon as the database announces it',
  'a process that cannot hear of changes takes no session from memory': 'at once',
  'an owner who is suspended at one is rejected at the other, until reinstated':
    'as soon as the database announces it',
  'an API key and its limits hold on both, follow the plan, and end': 'at once',
  'the budget of an API key is one for both': 'at once',
  'calls are counted together': 'at once, while Redis responds',
  'one Idempotency-Key at both at once makes one webhook': 'at once',
  'a page that everyone reads shows a change of the other process': 'within a second',
  'what an admin decides at one holds at the other': 'within a second',
  'a payment taken by one API process is sent by a worker, and is live at the other': 'at once',
} as const

const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let done: Promise<T> | undefined
  return () => {
    done ??= work()
    return done
  }
}

const walked = new Set<string>()
const sharedTest = (name: keyof typeof shared, walk: () => Promise<void>) => {
  walked.add(name)
  test(`${name} (${shared[name]})`, walk)
}

test('every row of the table is walked', () => expect([...walked]).toEqual(Object.keys(shared)))

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

  const baseThere = once(() => there.http.listen({ port: 0, host: '127.0.0.1' }))

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

  sharedTest('a session of one holds on the other, and ends there', async () => {
    const { bearer } = await signIn(here.http)
    expect(await statusThere(sessionOf(bearer))).toBe(200)
    const out = await here.http.inject({ method: 'POST', url: '/api/auth/logout', headers: bearer })
    expect(out.statusCode).toBe(200)
    // The database announces it, and the other process reads that a moment later.
    await expect.poll(() => statusThere(sessionOf(bearer))).toBe(401)
  })

  sharedTest('signing out at one ends the live stream at the other', async () => {
    const { bearer } = await signIn(here.http)
    const token = bearer.authorization.replace('Bearer ', '')
    const stream = await openEventStream(`${await baseThere()}/api/notifications/stream`, { token })
    await here.http.inject({ method: 'POST', url: '/api/auth/logout', headers: bearer })
    await stream.ended
  })

  sharedTest('a process that cannot hear of changes takes no session from memory', async () => {
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

  sharedTest('an owner who is suspended at one is rejected at the other, until reinstated', async () => {
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
    const decide = async (decision: 'suspend' | 'reinstate') => {
      const decided = await here.http.inject({
        method: 'POST',
        url: `/api/admin/owners/${buyer.ownerId}/${decision}`,
        headers: admin.bearer,
        payload: { reason: 'Sells what is not theirs.' },
      })
      expect(decided.statusCode).toBe(200)
    }
    await decide('suspend')
    await expect.poll(() => statusThere(hire)).toBe(403)
    await decide('reinstate')
    await expect.poll(() => statusThere(hire)).toBe(201)
  })

  sharedTest('an API key and its limits hold on both, follow the plan, and end', async () => {
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

  sharedTest('the budget of an API key is one for both', async () => {
    const buyer = await here.newOwner({ kycStatus: 'VERIFIED', kycFeePaid: true })
    const agent = await here.newAgent(await here.newOwner())
    const made = await here.http.inject({
      method: 'POST',
      url: '/api/api-keys',
      headers: buyer.headers,
      payload: { name: 'Capped', scopes: ['read', 'hire'], budget: { total: '5000000' } },
    })
    expect(made.statusCode).toBe(201)
    const hire = {
      method: 'POST',
      url: '/api/jobs',
      headers: { authorization: `Bearer ${made.json().data.key}` },
      payload: { agentId: agent.id, title: 'Read it', description: 'All of it.', agreedPrice: '1000000' },
    } as const
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, turn) => (turn % 2 ? here : there).http.inject(hire)),
    )
    const statuses = replies.map(({ statusCode }) => statusCode).toSorted()
    expect(statuses).toEqual([...Array(5).fill(201), ...Array(7).fill(402)])
  })

  sharedTest('calls are counted together', async () => {
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

  sharedTest('one Idempotency-Key at both at once makes one webhook', async () => {
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

  sharedTest('a page that everyone reads shows a change of the other process', async () => {
    const owner = await here.newOwner({ kycStatus: 'VERIFIED' })
    const { wallet } = await here.newAgent(owner, { name: 'Page Turner' })
    const urls = ['/api/agents?limit=100', '/api/agents/search?limit=100', `/api/agents/${wallet}`]
    const shownThere = async (name: string) => {
      const replies = await Promise.all(urls.map((url) => there.http.inject(url)))
      return replies.map(({ body }) => body.includes(name))
    }
    // Pages are kept by the time of the chain, which here is that of the machine.
    await expect.poll(() => shownThere('Page Turner')).toEqual([true, true, true])
    const changed = await here.http.inject({
      method: 'PATCH',
      url: `/api/agents/${wallet}`,
      headers: owner.headers,
      payload: { name: 'Leaf Turner' },
    })
    expect(changed.statusCode).toBe(200)
    await expect.poll(() => shownThere('Leaf Turner')).toEqual([true, true, true])
  })

  sharedTest('what an admin decides at one holds at the other', async () => {
    const { bearer } = await signIn(here.http, adminWallet)
    const agent = await here.newAgent(await here.newOwner(), { name: 'Mimic Mink', approval: 'PENDING' })
    const decide = async (decision: 'approve' | 'reject') => {
      const decided = await here.http.inject({
        method: 'POST',
        url: `/api/admin/agents/${agent.id}/${decision}`,
        headers: bearer,
        ...(decision === 'reject' && { payload: { reason: 'It copies another agent.' } }),
      })
      expect(decided.statusCode).toBe(200)
    }
    const isListedThere = async () =>
      (await there.http.inject('/api/agents?limit=100')).body.includes('Mimic Mink')
    expect(await isListedThere()).toBe(false)
    await decide('approve')
    await expect.poll(isListedThere).toBe(true)
    await decide('reject')
    await expect.poll(isListedThere).toBe(false)
  })

  sharedTest('a payment taken by one API process is sent by a worker, and is live at the other', async () => {
    const owner = await here.newOwner()
    const buyer = await here.newBuyer()
    const payment = await signPayment(here, buyer, await here.offerFor())
    const base = await baseThere()
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
