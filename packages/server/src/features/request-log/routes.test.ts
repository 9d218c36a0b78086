import { rateLimitsPerMinute } from '@agent-marketplace/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { WorldOwner } from '../../testing/world/world-people.ts'
import { startOAuth, type TestOAuth } from '../oauth/testing/start-oauth.ts'
import { UNLIMITED_PER_MINUTE } from './service.ts'
import { KEPT_REQUESTS } from './trimming.ts'

/** Writes a batch and then loses the connection, so many times. */
let lostResponses = 0
const losingResponses = (db: Database): Database => ({
  ...db,
  async run(statement: Sql) {
    const count = await db.run(statement)
    if (lostResponses > 0 && statement.text.includes('into request_log')) {
      lostResponses -= 1
      throw new Error('the connection was lost')
    }
    return count
  },
})

let world: TestOAuth
let owner: WorldOwner
beforeAll(async () => {
  world = await startOAuth({ ports: ({ db }) => ({ db: losingResponses(db) }) })
})
afterAll(() => world.close())
beforeEach(async () => {
  owner = await world.newOwner()
})

async function newKey(name = 'Import', scopes = ['read', 'write'], { headers } = owner) {
  const payload = { name, scopes }
  const made = await world.http.inject({ method: 'POST', url: '/api/api-keys', headers, payload })
  const { id, key } = made.json().data
  return { id, headers: { authorization: `Bearer ${key}` } }
}

type Http = TestOAuth['http']
const list = async (query: Record<string, string> = {}, { headers } = owner, http: Http = world.http) => {
  const response = await http.inject({ url: `/api/requests?${new URLSearchParams(query)}`, headers })
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json()
}
const linesOf = async (query?: Record<string, string>) =>
  (await list(query)).data.map(
    ({ method, path, status }: { method: string; path: string; status: number }) =>
      `${method} ${path} ${status}`,
  )

describe('the log', () => {
  test('shows what a key has asked for, newest first, and nothing of what was sent', async () => {
    const key = await newKey()
    const { headers } = key
    const ok = await world.http.inject({
      url: '/api/jobs?role=client&limit=1',
      headers: { ...headers, 'x-request-id': 'my-own-request-1' },
    })
    expect(ok.statusCode).toBe(200)
    const missing = await world.http.inject({ url: '/api/jobs/cmi0a1b2c3d4e5f6g7h8i9j0k', headers })
    expect(missing.statusCode).toBe(404)

    const { data, nextCursor } = await list()
    expect(nextCursor).toBeNull()
    const caller = { kind: 'API_KEY', id: key.id, name: 'Import' }
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^c/),
        requestId: missing.headers['x-request-id'],
        method: 'GET',
        path: '/api/jobs/{id}',
        status: 404,
        errorCode: 'NOT_FOUND',
        durationMs: expect.any(Number),
        caller,
        createdAt: world.wallClock.now().toISOString(),
      },
      expect.objectContaining({
        requestId: 'my-own-request-1',
        path: '/api/jobs',
        status: 200,
        errorCode: null,
        caller,
      }),
    ])
    expect(JSON.stringify(data)).not.toMatch(/cmi0a1b2c3d4e5f6g7h8i9j0k|role=client/)
  })

  test('has what a key may not do, what does not exist, and what everybody may read', async () => {
    const { headers } = await newKey('Hires', ['hire'])
    const call = async (url: string) => (await world.http.inject({ url, headers })).statusCode
    expect([
      await call('/api/notifications'),
      await call('/api/agents/search'),
      await call('/api/no/such/path'),
    ]).toEqual([403, 200, 404])
    expect(await linesOf()).toEqual([
      'GET unknown 404',
      'GET /api/agents/search 200',
      'GET /api/notifications 403',
    ])
  })

  test('leaves out what the owner’s own session and other owners have asked for', async () => {
    const other = await world.newOwner()
    const key = await newKey('Other', ['read'], other)
    await world.http.inject({ url: '/api/jobs', headers: key.headers })
    await world.http.inject({ url: '/api/jobs', headers: owner.headers })
    expect((await list()).data).toEqual([])
    expect((await list({}, other)).data).toHaveLength(1)
    expect((await list({ caller: key.id })).data).toEqual([])
  })

  test('has the calls of connected apps, and those that their tools make', async () => {
    const { tokens } = await world.connect(owner)
    const [grant] = await world.listGrants(owner)
    expect((await world.callTool(tokens.access_token)).statusCode).toBe(200)
    const { data } = await list()
    expect(data.map(({ method, path }: { method: string; path: string }) => `${method} ${path}`)).toEqual([
      'POST /mcp',
      'GET /api/jobs',
    ])
    for (const { caller } of data)
      expect(caller).toEqual({ kind: 'APP', id: grant.id, name: 'Ledger Assistant' })
  })

  test('is filtered by class of status, method, path, caller and request id', async () => {
    const reader = await newKey('Reads', ['read'])
    const writer = await newKey('Writes', ['write'])
    await world.http.inject({ url: '/api/webhooks', headers: reader.headers })
    const refused = await world.http.inject({ url: '/api/webhooks', headers: writer.headers })
    const payload = { url: 'http://localhost:1/hook' }
    const added = await world.http.inject({
      method: 'POST',
      url: '/api/webhooks',
      headers: writer.headers,
      payload,
    })
    expect([refused.statusCode, added.statusCode]).toEqual([403, 201])
    const [all, ...rest] = ['POST /api/webhooks 201', 'GET /api/webhooks 403', 'GET /api/webhooks 200']
    expect(await linesOf()).toEqual([all, ...rest])
    expect(await linesOf({ status: '2xx' })).toEqual([all, rest[1]])
    expect(await linesOf({ status: '4xx' })).toEqual([rest[0]])
    expect(await linesOf({ status: '5xx' })).toEqual([])
    expect(await linesOf({ method: 'POST' })).toEqual([all])
    expect(await linesOf({ path: '/api/web' })).toHaveLength(3)
    expect(await linesOf({ path: '/api/web%' })).toEqual([])
    expect(await linesOf({ caller: reader.id })).toEqual([rest[1]])
    expect(await linesOf({ requestId: String(refused.headers['x-request-id']) })).toEqual([rest[0]])
    expect(await linesOf({ requestId: 'req_none' })).toEqual([])
  })

  test('comes in pages that miss and repeat nothing, while more is requested', async () => {
    const { headers } = await newKey()
    const ask = () => world.http.inject({ url: '/api/webhooks', headers })
    const asked: string[] = []
    for (let count = 0; count < 5; count += 1) asked.unshift(String((await ask()).headers['x-request-id']))
    const first = await list({ limit: '2' })
    await ask()
    const second = await list({ limit: '2', cursor: first.nextCursor })
    const third = await list({ limit: '2', cursor: second.nextCursor })
    expect(third.nextCursor).toBeNull()
    const pages = [first, second, third].flatMap(({ data }) => data)
    expect(pages.map(({ requestId }: { requestId: string }) => requestId)).toEqual(asked)
    const response = await world.http.inject({
      url: `/api/requests?status=4xx&cursor=${first.nextCursor}`,
      headers: owner.headers,
    })
    expect(response.statusCode).toBe(400)
  })

  test('has each request once, also when the response to its batch was lost', async () => {
    const { headers } = await newKey()
    await world.http.inject({ url: '/api/webhooks', headers })
    lostResponses = 1
    const failed = await world.http.inject({ url: '/api/requests', headers: owner.headers })
    expect(failed.statusCode).toBe(500)
    expect(await linesOf()).toEqual(['GET /api/webhooks 200'])
  })

  test('is the same from every process, and is written when one stops', async () => {
    const { headers } = await newKey()
    const beside = await world.startBeside()
    await beside.http.inject({ url: '/api/webhooks', headers })
    expect((await list({}, owner, beside.http)).data).toHaveLength(1)
    await beside.http.inject({ url: '/api/webhooks', headers })
    await beside.close()
    expect((await list()).data).toHaveLength(2)
  })

  test('forgets what is older than its days', async () => {
    const { headers } = await newKey()
    await world.http.inject({ url: '/api/webhooks', headers })
    expect((await list()).data).toHaveLength(1)
    await world.tick('request-log')
    expect((await list()).data).toHaveLength(1)
    world.wallClock.advance(7 * 24 * 3600 + 1)
    await world.tick('request-log')
    // The session has ended by then; the key's own look is recorded after it.
    expect((await list({}, { ...owner, headers })).data).toEqual([])
  })

  test('keeps the newest of each owner, so that no key fills the disk', async () => {
    const { headers } = await newKey()
    await world.http.inject({ url: '/api/webhooks', headers })
    const [asked] = (await list()).data
    await world.db.run(sql`
      insert into request_log (id, owner_id, request_id, method, path, status, duration_ms, caller_kind, caller_id, created_at)
      select 'older' || number, owner_id, 'older', 'GET', '/api/jobs', 200, 1, caller_kind, caller_id,
        created_at - number * interval '1 millisecond'
      from request_log, generate_series(1, ${KEPT_REQUESTS + 5}::integer) number where owner_id = ${owner.ownerId}`)
    const draw = vi.spyOn(Math, 'random').mockReturnValue(0)
    await world.http.inject({ url: '/api/webhooks', headers })
    expect((await list()).data).toContainEqual(asked)
    draw.mockRestore()
    const kept = await world.db.rows<{ id: string }>(
      sql`select id from request_log where owner_id = ${owner.ownerId} order by created_at desc`,
    )
    expect([kept.length, kept.at(-1)?.id]).toEqual([KEPT_REQUESTS, `older${KEPT_REQUESTS - 2}`])
  })

  test('has the first of what no rate limit bounds, and no more in a minute', async () => {
    const { headers } = await newKey()
    const ask = () => world.http.inject({ url: '/robots.txt', headers })
    for (let count = 0; count < UNLIMITED_PER_MINUTE + 5; count += 1)
      expect((await ask()).statusCode).toBe(200)
    await world.http.inject({ url: '/api/webhooks', headers })
    const recorded = async () => {
      await list()
      const [{ count } = { count: 0 }] = await world.db.rows<{ count: number }>(
        sql`select count(*)::integer as count from request_log where owner_id = ${owner.ownerId}`,
      )
      return count
    }
    expect(await recorded()).toBe(UNLIMITED_PER_MINUTE + 1)
    expect((await linesOf())[0]).toBe('GET /api/webhooks 200')
    world.wallClock.advance(61)
    await ask()
    expect(await recorded()).toBe(UNLIMITED_PER_MINUTE + 2)
  })

  test('needs a session, or a key that may read', async () => {
    expect((await world.http.inject('/api/requests')).statusCode).toBe(401)
    const { headers } = await newKey('Writes', ['write'])
    expect((await world.http.inject({ url: '/api/requests', headers })).statusCode).toBe(403)
    const bad = await world.http.inject({ url: '/api/requests?status=teapot', headers: owner.headers })
    expect(bad.statusCode).toBe(400)
  })
})

test('with 0 days nothing is recorded', async () => {
  const silent = await startOAuth({ environment: { REQUEST_LOG_DAYS: '0' } })
  const someone = await silent.newOwner()
  const made = await silent.http.inject({
    method: 'POST',
    url: '/api/api-keys',
    headers: someone.headers,
    payload: { name: 'Import' },
  })
  const headers = { authorization: `Bearer ${made.json().data.key}` }
  expect((await silent.http.inject({ url: '/api/webhooks', headers })).statusCode).toBe(200)
  expect((await list({}, someone, silent.http)).data).toEqual([])
  await silent.close()
})

test('what a rate limit rejects is recorded up to a number in a minute', async () => {
  const limited = await startOAuth({ environment: { RATE_LIMITS: 'on' } })
  const someone = await limited.newOwner()
  const made = await limited.http.inject({
    method: 'POST',
    url: '/api/api-keys',
    headers: someone.headers,
    payload: { name: 'Import' },
  })
  const headers = { authorization: `Bearer ${made.json().data.key}` }
  const statuses: number[] = []
  // The key was made within the same minute, and counts.
  for (let count = 1; count < rateLimitsPerMinute.api + UNLIMITED_PER_MINUTE + 5; count += 1)
    statuses.push((await limited.http.inject({ url: '/api/webhooks', headers })).statusCode)
  expect([statuses[0], statuses.at(-1)]).toEqual([200, 429])
  limited.wallClock.advance(61)
  expect((await list({ status: '4xx' }, someone, limited.http)).data).not.toHaveLength(0)
  const { rejected, others } = await limited.db.one<{ rejected: number; others: number }>(sql`
    select (count(*) filter (where status = 429))::integer as rejected,
      (count(*) filter (where status = 200))::integer as others
    from request_log where owner_id = ${someone.ownerId}`)
  expect([rejected, others]).toEqual([UNLIMITED_PER_MINUTE, rateLimitsPerMinute.api - 1])
  await limited.close()
})
