import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from './app.ts'
import { openEventStream, type TestEventStream } from './features/notifications/testing/open-event-stream.ts'
import { told } from './features/notifications/testing/start-feed.ts'
import { createOAuthCalls } from './features/oauth/testing/oauth-calls.ts'
import { startX402, type TestX402 } from './features/payments/testing/start-x402.ts'
import type { AppDeps } from './house/outside.ts'
import { wallClock } from './platform/clock/clock.ts'
import { sql } from './platform/db/sql.ts'
import { createRedisRateLimiter } from './platform/http/limits/rate-limit-redis.ts'
import type { EmbeddedChain } from './ports/chain/embedded.ts'
import { hearAnnouncements } from './testing/hear-announcements.ts'
import { hasRedis, startTestRedis, type TestRedis } from './testing/processes/redis-server.ts'
import { type SentRequest, signIn } from './testing/sign-in.ts'
import { signPayment } from './testing/sign-payment.ts'
import { adminWallet } from './testing/start-world.ts'
import { startTestChain } from './testing/test-chain.ts'
import { createTestClock, type TestClock } from './testing/test-clock.ts'
import type { WorldOwner } from './testing/world/world-people.ts'

/**
 * Everything that one process changes and another must follow, with when it holds there. Each row is the name of a test;
 * a row without a test, or a test of what is shared without a row, fails.
 *
 * No row can pass late. All clocks stand still unless a row moves them, so no cache expires by itself: `at once` is the
 * next read, `as soon as the database announces it` the next read behind the announcement, and `within a second` the
 * first read after 1,001 ms.
 */
const shared = {
  'a session of one holds on the other, and ends there': 'as soon as the database announces it',
  'what ends at one ends its live streams at the other': 'as soon as the database announces it',
  'a process that cannot hear of changes takes no session from memory': 'at once',
  'an owner who is suspended at one is rejected at the other, until reinstated':
    'as soon as the database announces it',
  'an owner who is deactivated at one is rejected at the other': 'as soon as the database announces it',
  'an API key and its limits hold on both, follow the plan to its end, and end': 'at once',
  'an OAuth grant and its limits hold on both, follow the plan to its end, and end': 'at once',
  'a session keeps its own limits on both, whatever the plan': 'at once',
  'the budget of an API key is one for both': 'at once',
  'calls are counted together': 'at once, while Redis responds',
  'one Idempotency-Key at both at once makes one webhook': 'at once',
  'a page of one agent shows a change of the other process': 'at once',
  'a list, a search and a search for words show a change of the other process': 'within a second',
  'what an admin decides at one holds at the other, in the sitemap too': 'within a second',
  'a live stream shows what happens at the other process, and is resumed there': 'at once',
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
const sharedTest = (
  name: keyof typeof shared,
  walk: () => Promise<void>,
  { isPossible = true }: { isPossible?: boolean } = {},
) => {
  walked.add(name)
  test.runIf(isPossible)(`${name} (${shared[name]})`, walk)
}

test('every row of the table is walked', () => expect([...walked]).toEqual(Object.keys(shared)))

describe('two API processes and two workers on one database', () => {
  let redis: TestRedis | undefined
  let chain: EmbeddedChain
  let clock: TestClock
  let here: TestX402
  let there: App
  let workers: App[]
  /** What `there` has heard. */
  const hearing = hearAnnouncements('session_changed')

  beforeAll(async () => {
    redis = hasRedis ? await startTestRedis() : undefined
    chain = await startTestChain()
    clock = createTestClock(chain.sandbox.now())
    const limiterOf = ({ log }: AppDeps) =>
      redis ? { limiter: createRedisRateLimiter({ url: redis.url, clock: wallClock, log }) } : {}
    const role = (ROLE: 'api' | 'worker') => ({
      isWorking: true,
      environment: { ROLE },
      // A stream looks for itself at every heartbeat: none comes.
      streamLimits: { heartbeatMs: 24 * 3600 * 1000 },
      ports: limiterOf,
    })
    here = await startX402({ chain, clock, ...role('api') })
    there = await here.startBeside({
      ...role('api'),
      ports: (own) => ({ ...limiterOf(own), db: hearing.through(own.db) }),
    })
    workers = [await here.startBeside(role('worker')), await here.startBeside(role('worker'))]
  })
  afterAll(async () => {
    await here.close()
    await chain.close()
    await redis?.remove()
  })

  const statusThere = async (request: SentRequest) => (await there.http.inject(request)).statusCode
  const sessionOf = (headers: Record<string, string>) => ({ url: '/api/auth/session', headers })
  const limitOf = async ({ http }: Pick<App, 'http'>, headers: Record<string, string>) =>
    (await http.inject(sessionOf(headers))).headers['x-ratelimit-limit']
  const succeedHere = async (request: SentRequest) => {
    const response = await here.http.inject(request)
    expect([request.url, response.statusCode, response.body]).toEqual([
      request.url,
      response.statusCode < 300 ? response.statusCode : 'success',
      response.body,
    ])
    return response.json().data
  }
  const signOutHere = (headers: Record<string, string>) =>
    succeedHere({ method: 'POST', url: '/api/auth/logout', headers })
  const announced = () => hearing.caughtUp(here.db)
  const passASecond = () => {
    clock.advance(1.001)
    here.wallClock.advance(1.001)
  }
  const decideOnOwner = async (ownerId: string, decision: 'suspend' | 'reinstate' | 'deactivate') => {
    const { bearer } = await signIn(here.http, adminWallet)
    await succeedHere({
      method: 'POST',
      url: `/api/admin/owners/${ownerId}/${decision}`,
      headers: bearer,
      payload: { reason: 'Sells what is not theirs.' },
    })
  }
  const newKeyOf = async ({ headers }: Pick<WorldOwner, 'headers'>, wanted: object = {}) => {
    const payload = { name: 'Both', ...wanted }
    const { id, key } = await succeedHere({ method: 'POST', url: '/api/api-keys', headers, payload })
    return { id, key, bearer: { authorization: `Bearer ${key}` } }
  }
  /** A client that the owner has allowed to call the API. */
  const newGrantOf = async (owner: WorldOwner) => {
    const oauth = createOAuthCalls(here)
    const token = await oauth.connectToApi(owner)
    const [{ id }] = await oauth.listGrants(owner)
    return { id, token, bearer: { authorization: `Bearer ${token}` } }
  }

  const baseThere = once(() => there.http.listen({ port: 0, host: '127.0.0.1' }))
  const streamAt = (base: string, token: string, lastEventId?: string) =>
    openEventStream(`${base}/api/notifications/stream`, {
      token,
      ...(lastEventId !== undefined && { lastEventId }),
    })

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
    await signOutHere(bearer)
    await announced()
    expect(await statusThere(sessionOf(bearer))).toBe(401)
  })

  sharedTest('what ends at one ends its live streams at the other', async () => {
    const owner = await here.newOwner()
    const [key, grant] = [await newKeyOf(owner), await newGrantOf(owner)]
    const endOf = async (token: string, end: () => Promise<unknown>) => {
      const stream = await streamAt(await baseThere(), token)
      expect(stream.status).toBe(200)
      await end()
      // Without an announcement its connection would be cut after a minute without a word.
      expect(await stream.ended).toBe(true)
    }
    const { headers } = owner
    const remove = (url: string) => succeedHere({ method: 'DELETE', url, headers })
    await endOf(key.key, () => remove(`/api/api-keys/${key.id}`))
    await endOf(grant.token, () => remove(`/api/oauth/grants/${grant.id}`))
    await endOf(headers.authorization.replace('Bearer ', ''), () => signOutHere(headers))
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
    const hire = {
      method: 'POST',
      url: '/api/jobs',
      headers: buyer.headers,
      payload: { agentId: agent.id, title: 'Read it', description: 'All of it.', agreedPrice: '150000000' },
    } as const
    expect(await statusThere(hire)).toBe(201)
    await decideOnOwner(buyer.ownerId, 'suspend')
    await announced()
    expect(await statusThere(hire)).toBe(403)
    await decideOnOwner(buyer.ownerId, 'reinstate')
    await announced()
    expect(await statusThere(hire)).toBe(201)
  })

  sharedTest('an owner who is deactivated at one is rejected at the other', async () => {
    const owner = await here.newOwner()
    const key = await newKeyOf(owner)
    const statusesThere = () =>
      Promise.all(
        [owner.headers, key.bearer].map((headers) => statusThere({ url: '/api/owners/me', headers })),
      )
    expect(await statusesThere()).toEqual([200, 200])
    await decideOnOwner(owner.ownerId, 'deactivate')
    await announced()
    expect(await statusesThere()).toEqual([403, 403])
    await expect(signIn(there.http, owner.wallet)).rejects.toThrow('403')
  })

  /** From one plan to a better one, back, and to none: each is seen by the next call at the other process. */
  const walkPlans = async (ownerId: string, limitThere: () => Promise<unknown>) => {
    const limits = [await limitThere()]
    for (const change of [
      () => here.openPlan(ownerId, 'API_ACCESS'),
      () => here.openPlan(ownerId, 'ENTERPRISE'),
      () => here.endPlan(ownerId, 'ENTERPRISE'),
      () => here.endPlan(ownerId, 'API_ACCESS'),
    ]) {
      await change()
      limits.push(await limitThere())
    }
    return limits
  }

  sharedTest('an API key and its limits hold on both, follow the plan to its end, and end', async () => {
    const owner = await here.newOwner()
    const { id, bearer } = await newKeyOf(owner)
    const limits = await walkPlans(owner.ownerId, () => limitOf(there, bearer))
    expect(limits).toEqual(['100', '1000', '10000', '1000', '100'])
    await succeedHere({ method: 'DELETE', url: `/api/api-keys/${id}`, headers: owner.headers })
    expect(await statusThere(sessionOf(bearer))).toBe(401)
  })

  sharedTest('an OAuth grant and its limits hold on both, follow the plan to its end, and end', async () => {
    const owner = await here.newOwner()
    const { id, bearer } = await newGrantOf(owner)
    const limits = await walkPlans(owner.ownerId, () => limitOf(there, bearer))
    expect(limits).toEqual(['100', '1000', '10000', '1000', '100'])
    await succeedHere({ method: 'DELETE', url: `/api/oauth/grants/${id}`, headers: owner.headers })
    expect(await statusThere(sessionOf(bearer))).toBe(401)
  })

  sharedTest('a session keeps its own limits on both, whatever the plan', async () => {
    const { ownerId, headers } = await here.newOwner()
    const limits = () => Promise.all([here, there].map((app) => limitOf(app, headers)))
    expect(await walkPlans(ownerId, limits)).toEqual(Array(5).fill(['100', '100']))
  })

  sharedTest('the budget of an API key is one for both', async () => {
    const buyer = await here.newOwner({ kycStatus: 'VERIFIED', kycFeePaid: true })
    const agent = await here.newAgent(await here.newOwner())
    const { bearer } = await newKeyOf(buyer, { scopes: ['read', 'hire'], budget: { total: '5000000' } })
    const hire = {
      method: 'POST',
      url: '/api/jobs',
      headers: bearer,
      payload: { agentId: agent.id, title: 'Read it', description: 'All of it.', agreedPrice: '1000000' },
    } as const
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, turn) => (turn % 2 ? here : there).http.inject(hire)),
    )
    const statuses = replies.map(({ statusCode }) => statusCode).toSorted()
    expect(statuses).toEqual([...Array(5).fill(201), ...Array(7).fill(402)])
  })

  const callsAreCounted = async () => {
    const { bearer } = await signIn(here.http)
    const left = async ({ http }: Pick<App, 'http'>) =>
      Number((await http.inject(sessionOf(bearer))).headers['x-ratelimit-remaining'])
    // A window may end in between, and a busy machine may keep Redis from replying in time; counted apart it never comes out.
    const counted = async () => {
      const first = await left(here)
      return [first - (await left(there)), first - (await left(here)), first - (await left(there))]
    }
    await expect.poll(counted).toEqual([1, 2, 3])
  }
  sharedTest('calls are counted together', callsAreCounted, { isPossible: hasRedis })

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

  /** Which pages of the other process hold the text, each read once and one after the other. */
  const shownThere = async (urls: readonly string[], text: string) => {
    const shown: boolean[] = []
    for (const url of urls) {
      const { statusCode, body } = await there.http.inject(url)
      expect([url, statusCode]).toEqual([url, 200])
      shown.push(body.includes(text))
    }
    return shown
  }
  const everywhere = <T>(urls: readonly unknown[], value: T) => urls.map(() => value)
  const renamed = async (owner: WorldOwner, wallet: string, name: string) => {
    const url = `/api/agents/${wallet}`
    await succeedHere({ method: 'PATCH', url, headers: owner.headers, payload: { name } })
  }

  sharedTest('a page of one agent shows a change of the other process', async () => {
    const owner = await here.newOwner({ kycStatus: 'VERIFIED' })
    const { id, wallet } = await here.newAgent(owner, { name: 'Page Turner' })
    // Sellers have a page once an agent of theirs is registered.
    await here.db.run(sql`update agents set on_chain_agent_id = 71 where id = ${id}`)
    const urls = [
      `/api/agents/${wallet}`,
      `/agents/${wallet}.md`,
      `/api/agents/${wallet}/agent-card.json`,
      `/api/sellers/${owner.wallet.address}/agents`,
    ]
    expect(await shownThere(urls, 'Page Turner')).toEqual(everywhere(urls, true))
    await renamed(owner, wallet, 'Leaf Turner')
    expect(await shownThere(urls, 'Leaf Turner')).toEqual(everywhere(urls, true))
  })

  sharedTest('a list, a search and a search for words show a change of the other process', async () => {
    const owner = await here.newOwner({ kycStatus: 'VERIFIED' })
    const { wallet } = await here.newAgent(owner, { name: 'Early Egret' })
    const urls = ['/api/agents?limit=100', '/api/agents/search?limit=100', '/api/agents/search?q=egret']
    passASecond()
    expect(await shownThere(urls, 'Early Egret')).toEqual(everywhere(urls, true))
    await renamed(owner, wallet, 'Later Egret')
    // They come from memory: what follows shows how long.
    expect(await shownThere(urls, 'Early Egret')).toEqual(everywhere(urls, true))
    passASecond()
    expect(await shownThere(urls, 'Later Egret')).toEqual(everywhere(urls, true))
  })

  sharedTest('what an admin decides at one holds at the other, in the sitemap too', async () => {
    const { bearer } = await signIn(here.http, adminWallet)
    const { id, wallet } = await here.newAgent(await here.newOwner(), {
      name: 'Mimic Mink',
      approval: 'PENDING',
    })
    const decide = (decision: 'approve' | 'reject') =>
      succeedHere({
        method: 'POST',
        url: `/api/admin/agents/${id}/${decision}`,
        headers: bearer,
        ...(decision === 'reject' && { payload: { reason: 'It copies another agent.' } }),
      })
    const urls = ['/api/agents?limit=100', '/api/agents/search?q=mimic', '/sitemap.xml']
    passASecond()
    expect(await shownThere(urls, wallet)).toEqual(everywhere(urls, false))
    await decide('approve')
    passASecond()
    expect(await shownThere(urls, wallet)).toEqual(everywhere(urls, true))
    await decide('reject')
    passASecond()
    expect(await shownThere(urls, wallet)).toEqual(everywhere(urls, false))
  })

  sharedTest('a live stream shows what happens at the other process, and is resumed there', async () => {
    const { ownerId, bearer } = await signIn(here.http)
    const token = bearer.authorization.replace('Bearer ', '')
    const { notify } = await here.startWorker()
    const tell = (title: string) => here.db.transaction((tx) => notify(tx, told(ownerId, title)))
    const titlesOf = async (stream: TestEventStream, count: number) => {
      const titles: string[] = []
      while (titles.length < count) titles.push((await stream.next()).data.title)
      return titles
    }
    const first = await streamAt(await baseThere(), token)
    await tell('one')
    const seen = await first.next()
    expect(seen.data.title).toBe('one')
    first.leave()
    await tell('two')
    await tell('three')
    const second = await streamAt(here.url, token, seen.id)
    await tell('four')
    expect(await titlesOf(second, 3)).toEqual(['two', 'three', 'four'])
    second.leave()
    const third = await streamAt(await baseThere(), token, seen.id)
    expect(await titlesOf(third, 3)).toEqual(['two', 'three', 'four'])
    third.leave()
  })

  sharedTest('a payment taken by one API process is sent by a worker, and is live at the other', async () => {
    // A payer signs for the time of the chain.
    clock.set(chain.sandbox.now())
    const owner = await here.newOwner()
    const buyer = await here.newBuyer()
    const payment = await signPayment(here, buyer, await here.offerFor())
    const token = owner.headers.authorization.replace('Bearer ', '')
    const stream = await streamAt(await baseThere(), token)

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
