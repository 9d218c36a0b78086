import { allEndpoints } from '@agent-marketplace/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { App } from './app.ts'
import type { AppDeps } from './house/outside.ts'
import { createDatabase } from './platform/db/database.ts'
import { createOwnWrites } from './platform/db/replicas/own-writes.ts'
import { createReplicas, type Replicas } from './platform/db/replicas/replicas.ts'
import { sql } from './platform/db/sql.ts'
import { hasRedis, startTestRedis, type TestRedis } from './testing/processes/redis-server.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from './testing/processes/replicated-postgres.ts'
import { signIn } from './testing/sign-in.ts'
import { adminWallet, type World } from './testing/start-world.ts'
import { createTestClock } from './testing/test-clock.ts'
import { startWorldOn } from './testing/world/start-world-on.ts'
import type { WorldAgent, WorldOwner } from './testing/world/world-people.ts'

const preparedCluster = inject('preparedCluster')
/** A test pauses the standby for as long as it likes. */
const MAX_LAG_MS = 600_000

/** Read without an account, and still not by everyone; or what a payment is made by, as it is now. */
const notFromReplicas = new Set([
  'getOrder',
  'downloadOrderFile',
  'listMessagesByCallback',
  'downloadFileByCallback',
  'describeService',
  'getConfig',
])
const DOCUMENT_HASH = `0x${'5e'.repeat(32)}`

describe.skipIf(preparedCluster === null || !hasRedis)('two API processes with a streaming replica', () => {
  let servers: ReplicatedPostgres
  let redis: TestRedis
  let here: World
  let there: App
  let seller: WorldOwner
  let agent: WorldAgent
  const clock = createTestClock()
  const followed: Replicas[] = []
  const closers: (() => unknown)[] = []

  const withReplica = ({ log, db }: AppDeps) => {
    const replica = createDatabase({ connection: servers.standby.connection, poolSize: 4, log })
    const replicas = createReplicas({
      primary: db,
      replicas: [{ name: 'standby', db: replica }],
      maxLagMs: MAX_LAG_MS,
      log,
    })
    const ownWrites = createOwnWrites({ url: redis.url, replicas, log })
    followed.push(replicas)
    closers.push(ownWrites.close, replicas.close)
    return { replicas, ownWrites }
  }

  beforeAll(async () => {
    redis = await startTestRedis()
    servers = await startReplicatedPostgres(preparedCluster ?? '')
    here = await startWorldOn({ ...servers.primary, close: servers.close }, { clock, ports: withReplica })
    there = await here.startBeside({ ports: withReplica })
    seller = await here.newOwner({ kycStatus: 'VERIFIED' })
    agent = await here.newAgent(seller, { name: 'Old Otter' })
    await here.db.run(sql`update agents set on_chain_agent_id = 71 where id = ${agent.id}`)
    await here.db.run(sql`insert into feedback_documents (hash, body) values (${DOCUMENT_HASH}, '{}')`)
  })
  afterAll(async () => {
    for (const close of closers) await close()
    await here.close()
    await redis.remove()
  })

  const lookAtAll = () => Promise.all(followed.map(({ check }) => check()))

  /** Everything that is committed by now is on the standby, and both processes know it. */
  async function catchUp(): Promise<void> {
    const position = (await followed[0]?.position()) ?? expect.unreachable('no replicas')
    await expect
      .poll(async () => {
        await lookAtAll()
        return followed.every((replicas) => replicas.pick({ position }) !== undefined)
      })
      .toBe(true)
  }

  beforeEach(async () => {
    await servers.standby.resume()
    await here.db.run(sql`update agents set name = 'Old Otter', paused_by = null where id = ${agent.id}`)
    await catchUp()
    // Pages that are kept in memory have had their second.
    clock.advance(2)
    await catchUp()
    await servers.standby.pause()
  })

  const rename = async (name: string) => {
    const renamed = await here.http.inject({
      method: 'PATCH',
      url: `/api/agents/${agent.wallet}`,
      headers: seller.headers,
      payload: { name },
    })
    expect(renamed.statusCode).toBe(200)
  }
  const show = async ({ http }: Pick<App, 'http'>, url: string, headers = {}) => {
    const response = await http.inject({ url, headers })
    expect([url, response.statusCode]).toEqual([url, 200])
    return response.body.includes('New Newt') ? 'new' : response.body.includes('Old Otter') ? 'old' : 'none'
  }
  const pages = () => [
    '/api/agents',
    '/api/agents?limit=50&minReputation=0',
    '/api/agents/search',
    '/api/agents/search?q=otter%20newt',
    `/api/agents/${agent.wallet}`,
    `/api/sellers/${seller.wallet.address}/agents`,
    `/agents/${agent.wallet}.md`,
  ]

  test('lists, search, profiles and pages come from the replica', async () => {
    await here.db.run(sql`update agents set name = 'New Newt' where id = ${agent.id}`)
    await lookAtAll()
    for (const url of pages()) expect([url, await show(here, url)]).toEqual([url, 'old'])
    await servers.standby.resume()
    await catchUp()
    clock.advance(2)
    for (const url of pages()) expect([url, await show(here, url)]).toEqual([url, 'new'])
  })

  describe('a primary without tables', () => {
    beforeEach(async () => {
      await here.db.run(sql`alter schema public rename to away`)
      await here.db.run(sql`create schema public`)
      await lookAtAll()
    })
    afterEach(async () => {
      await here.db.run(sql`drop schema public`)
      await here.db.run(sql`alter schema away rename to public`)
    })

    test('serves all that everyone may read, because nothing of it is read there', async () => {
      const urlOf = ({ path }: { path: string }) =>
        path
          .replace('/sellers/{wallet}', `/sellers/${seller.wallet.address}`)
          .replace('{wallet}', agent.wallet)
          .replace('{hash}', DOCUMENT_HASH)
          .replace(/discovery\/search$/, '$&?query=otter')
      const read = allEndpoints.filter(
        ({ id, method, access }) => method === 'GET' && access === 'public' && !notFromReplicas.has(id),
      )
      const urls = [...read.map(urlOf), ...pages()]
      const statuses = await Promise.all(urls.map(async (url) => (await here.http.inject(url)).statusCode))
      expect(urls.filter((_, index) => statuses[index] !== 200)).toEqual([])
    })

    test('lets the A2A market search', async () => {
      const message = {
        messageId: 'm-1',
        role: 'user',
        kind: 'message',
        parts: [{ kind: 'text', text: 'otter' }],
      }
      const response = await here.http.inject({
        method: 'POST',
        url: '/api/a2a',
        payload: { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } },
      })
      expect(response.json().error).toBeUndefined()
      expect(response.body).toContain('Old Otter')
    })
  })

  test('who has written sees it at both processes, and reads the replica again once it has caught up', async () => {
    // Both have the old page in memory.
    for (const app of [here, there]) expect(await show(app, '/api/agents')).toBe('old')
    await rename('New Newt')
    await lookAtAll()
    for (const app of [here, there])
      for (const url of pages()) expect([url, await show(app, url, seller.headers)]).toEqual([url, 'new'])
    // A visitor of the other process reads the replica, with its lag.
    expect(await show(there, `/api/agents/${agent.wallet}`)).toBe('old')

    await servers.standby.resume()
    await catchUp()
    const sentBefore = followed.map(({ sentToPrimary }) => sentToPrimary())
    expect(await show(there, `/api/agents/${agent.wallet}`, seller.headers)).toBe('new')
    expect(followed.map(({ sentToPrimary }) => sentToPrimary())).toEqual(sentBefore)
  })

  test('no page that a replica missed is kept: a change is seen at once by visitors of its process', async () => {
    expect(await show(here, '/api/agents')).toBe('old')
    await rename('New Newt')
    await lookAtAll()
    for (const url of pages()) expect([url, await show(here, url)]).toEqual([url, 'new'])
    // Again, now from memory.
    expect(await show(here, '/api/agents')).toBe('new')

    // The other process keeps what the replica showed it for a second, and then what the replica shows by then.
    expect(await show(there, '/api/agents')).toBe('old')
    await servers.standby.resume()
    await catchUp()
    clock.advance(2)
    expect(await show(there, '/api/agents')).toBe('new')
  })

  test('what a replica does not have yet is looked up on the primary', async () => {
    const { wallet } = await here.newAgent(seller, { name: 'New Newt' })
    await lookAtAll()
    expect(await show(there, `/api/agents/${wallet}`)).toBe('new')
  })

  test('nothing that decides reads a replica', async () => {
    const buyer = await here.newOwner()
    const admin = await signIn(here.http, adminWallet)
    const hire = {
      method: 'POST',
      url: '/api/jobs',
      headers: buyer.headers,
      payload: { agentId: agent.id, title: 'Read it', description: 'All of it.', agreedPrice: '150000000' },
    } as const
    const hireThere = async () => (await there.http.inject(hire)).statusCode
    await lookAtAll()
    // Buyer and session exist on the primary alone.
    expect(await hireThere()).toBe(201)
    const keyed = { ...hire, headers: { ...hire.headers, 'idempotency-key': 'with-a-replica' } }
    const made = await Promise.all([here, there].map(({ http }) => http.inject(keyed)))
    expect(new Set(made.map((response) => response.json().data.jobId)).size).toBe(1)
    const paused = await here.http.inject({
      method: 'POST',
      url: `/api/agents/${agent.wallet}/pause`,
      headers: seller.headers,
    })
    expect(paused.statusCode).toBe(200)
    expect(await hireThere()).toBe(409)
    // Suspension comes before what is wrong with the order.
    await here.http.inject({
      method: 'POST',
      url: `/api/admin/owners/${buyer.ownerId}/suspend`,
      headers: admin.bearer,
      payload: { reason: 'Sells what is not theirs.' },
    })
    await expect.poll(hireThere).toBe(403)
  })

  test('without Redis signed-in callers read the primary', async () => {
    await here.db.run(sql`update agents set name = 'New Newt' where id = ${agent.id}`)
    await lookAtAll()
    const url = `/api/agents/${agent.wallet}`
    expect(await show(there, url, seller.headers)).toBe('old')
    await redis.stop()
    await expect.poll(() => show(there, url, seller.headers)).toBe('new')
    expect(await show(there, url)).toBe('old')
    await redis.start()
    await expect.poll(() => show(there, url, seller.headers)).toBe('old')
  })

  test('a replica that is lost costs no error, and the metrics show it', async () => {
    await here.db.run(sql`update agents set name = 'New Newt' where id = ${agent.id}`)
    const lagShown = async () =>
      /^database_replica_lag_seconds\{replica="standby"\} (.*)$/m.exec(
        (await there.http.inject('/metrics')).body,
      )?.[1]
    expect(Number(await lagShown())).toBeGreaterThanOrEqual(0)
    await servers.standby.resume()
    await servers.standby.stop()
    for (const url of pages()) expect([url, await show(there, url)]).toEqual([url, 'new'])
    await lookAtAll()
    expect(await lagShown()).toBe('+Inf')
    const metrics = (await there.http.inject('/metrics')).body
    expect(metrics).toContain('# TYPE database_reads_sent_to_primary_total counter')
    expect(await here.breaches()).toEqual([])
  })
})
