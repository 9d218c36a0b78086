import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { createIdempotency } from '../../platform/http/once/idempotency.ts'
import { createIdSource } from '../../platform/id/id.ts'
import { createTestClock } from '../../testing/test-clock.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createTestHttp, tokenFor } from '../../testing/test-http.ts'
import { apiKeysRoutes } from './routes.ts'
import { isApiKey, MAX_KEYS } from './rules.ts'
import { type ApiKeysService, createApiKeysService } from './service.ts'

const clock = createTestClock()
const newId = createIdSource(clock)
let database: TestDatabase
let apiKeys: ApiKeysService
let http: Awaited<ReturnType<typeof createTestHttp>>
let hasAccess = true
let isEnterprise = false
let ownerId: string

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  apiKeys = createApiKeysService({
    db,
    clock,
    newId,
    hasApiAccess: async () => hasAccess,
    hasEnterprise: async () => isEnterprise,
    areGuessesLimited: true,
  })
  http = await createTestHttp(apiKeysRoutes({ apiKeys }), {
    db,
    idempotency: createIdempotency({ db, clock }),
    rateLimitsEnforced: false,
  })
})
afterAll(async () => {
  await http.close()
  await database.close()
})
let owners = 0
const newOwner = async (): Promise<string> => {
  owners += 1
  const id = newId()
  const wallet = `0x${owners.toString(16).padStart(40, '0')}`
  await database.db.run(sql`
    insert into owners (id, wallet_address, kyc_status, created_at)
    values (${id}, ${wallet}, 'VERIFIED', ${clock.now()})`)
  return id
}
beforeEach(async () => {
  hasAccess = true
  ownerId = await newOwner()
})

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, fields: object = {}) =>
  http.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${tokenFor({ ownerId, ...fields })}` },
    ...(payload ? { payload } : {}),
  })
const create = async (body: object = {}) =>
  (await call('POST', '/api/api-keys', { name: 'Import', ...body })).json().data

describe('a key', () => {
  test('is shown once, kept as a hash, and stands for its owner', async () => {
    const made = await create({ scopes: ['read'] })
    expect(made).toMatchObject({ name: 'Import', scopes: ['read'], expiresAt: null, lastUsedAt: null })
    expect(isApiKey(made.key)).toBe(true)
    expect(made.key.startsWith(made.prefix)).toBe(true)
    const stored = await database.db.one<{ text: string }>(
      sql`select k::text as text from api_keys k where id = ${made.id}`,
    )
    expect(stored.text).not.toContain(made.key)
    const kept = await database.db.rows<{ text: string }>(sql`select i::text as text from idempotency_keys i`)
    expect(JSON.stringify(kept)).not.toContain(made.key)

    const principal = await apiKeys.authenticate(made.key, 'somewhere')
    expect(principal).toMatchObject({
      ownerId,
      kycStatus: 'VERIFIED',
      isAdmin: false,
      scopes: ['read'],
      rateFactor: 10,
    })
    const [listed] = (await call('GET', '/api/api-keys')).json().data
    expect(listed).not.toHaveProperty('key')
    expect(listed.lastUsedAt).toBe('2026-11-15T12:00:00.000Z')
  })

  test('has a hundred times the limits by the Enterprise plan', async () => {
    isEnterprise = true
    const { key } = await create()
    expect(await apiKeys.authenticate(key, 'somewhere')).toMatchObject({ rateFactor: 100 })
    isEnterprise = false
    expect(await apiKeys.authenticate(key, 'somewhere')).toMatchObject({ rateFactor: 10 })
  })

  test('may do both without scopes', async () => {
    expect((await create()).scopes).toEqual(['read', 'write'])
  })

  test('stops at once when it is revoked, expires, or the plan ends', async () => {
    const [revoked, expiring, planless] = [await create(), await create({ expiresInDays: 1 }), await create()]
    expect((await call('DELETE', `/api/api-keys/${revoked.id}`)).json()).toEqual({ data: { revoked: true } })
    expect(await apiKeys.authenticate(revoked.key, 'somewhere')).toBeUndefined()
    const session = await apiKeys.authenticate(expiring.key, 'somewhere')
    if (!session) throw new Error('the key does not work')
    expect(await apiKeys.isLive(session)).toBe(true)
    clock.advance(24 * 3600)
    expect(await apiKeys.authenticate(expiring.key, 'somewhere')).toBeUndefined()
    expect(await apiKeys.isLive(session)).toBe(false)
    const planlessSession = await apiKeys.authenticate(planless.key, 'somewhere')
    if (!planlessSession) throw new Error('the key does not work')
    expect(await apiKeys.isLive(planlessSession)).toBe(true)
    hasAccess = false
    expect(await apiKeys.authenticate(planless.key, 'somewhere')).toBeUndefined()
    expect(await apiKeys.isLive(planlessSession)).toBe(false)
    const ids = (await call('GET', '/api/api-keys')).json().data.map(({ id }: { id: string }) => id)
    expect(ids).toEqual([planless.id])
  })

  test.each(['', 'amk_', `amk_${'0'.repeat(40)}`, `amk_${'z'.repeat(40)}`, 'amk_1; drop table api_keys'])(
    'is not %j',
    async (key) => expect(await apiKeys.authenticate(key, 'somewhere')).toBeUndefined(),
  )
})

describe('refused', () => {
  test('403 without the plan, and to a key', async () => {
    const sessionId = 'api-key:c1'
    const byKey = await call('POST', '/api/api-keys', { name: 'x' }, { sessionId })
    hasAccess = false
    const withoutPlan = await call('POST', '/api/api-keys', { name: 'x' })
    expect([byKey.statusCode, withoutPlan.statusCode]).toEqual([403, 403])
  })

  test('404 for another owner’s key, as for none', async () => {
    const { id, key } = await create()
    ownerId = await newOwner()
    expect((await call('DELETE', `/api/api-keys/${id}`)).statusCode).toBe(404)
    expect((await call('DELETE', `/api/api-keys/${newId()}`)).statusCode).toBe(404)
    expect((await apiKeys.authenticate(key, 'somewhere'))?.sessionId).toBe(`api-key:${id}`)
  })

  test(`409 beyond ${MAX_KEYS} keys, also when many are asked for at once`, async () => {
    const responses = await Promise.all(
      Array.from({ length: MAX_KEYS + 5 }, () => call('POST', '/api/api-keys', { name: 'many' })),
    )
    const codes = responses.map(({ statusCode }) => statusCode)
    expect(codes.filter((code) => code === 201)).toHaveLength(MAX_KEYS)
    expect(codes.filter((code) => code === 409)).toHaveLength(5)
  })

  test('400 for a scope that there is not', async () => {
    expect((await call('POST', '/api/api-keys', { name: 'x', scopes: ['admin'] })).statusCode).toBe(400)
    expect((await call('POST', '/api/api-keys', { name: 'x', scopes: [] })).statusCode).toBe(400)
  })
})

describe('those who guess', () => {
  /** The service over a database that counts what it is asked. */
  function counted(areGuessesLimited = true) {
    let lookUps = 0
    const db = new Proxy(database.db, {
      get(target, name) {
        if (name === 'maybeOne') lookUps += 1
        return Reflect.get(target, name)
      },
    })
    const service = createApiKeysService({
      db,
      clock,
      newId,
      hasApiAccess: async () => true,
      hasEnterprise: async () => false,
      areGuessesLimited,
    })
    return { authenticate: service.authenticate, lookUps: () => lookUps }
  }
  const bogus = (number: number) => `amk_${number.toString(16).padStart(40, '0')}`

  test('are looked up once for each key, and not more often than their address may call', async () => {
    const { key } = await create()
    const { authenticate, lookUps } = counted()
    for (let time = 0; time < 5; time += 1) expect(await authenticate(bogus(1), 'a')).toBeUndefined()
    expect(lookUps()).toBe(1)
    expect(await authenticate(key, 'a')).toMatchObject({ ownerId })
    for (let number = 2; number <= 100; number += 1) await authenticate(bogus(number), 'a')
    const before = lookUps()
    await expect(authenticate(bogus(101), 'a')).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { retryAfterSeconds: expect.any(Number) },
    })
    expect(lookUps()).toBe(before)
    // A key that is known to work is not locked out by its neighbours, and nobody elsewhere is.
    expect(await authenticate(key, 'a')).toMatchObject({ ownerId })
    expect(await authenticate(bogus(102), 'b')).toBeUndefined()
    clock.advance(61)
    expect(await authenticate(bogus(103), 'a')).toBeUndefined()
  })

  test('are not held up where limits are off', async () => {
    const { authenticate } = counted(false)
    for (let number = 1; number <= 120; number += 1) {
      expect(await authenticate(bogus(number), 'a')).toBeUndefined()
    }
  })
})
