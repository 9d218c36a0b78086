import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestClock } from '../../platform/clock/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import { createIdempotency } from '../../platform/http/idempotency.ts'
import { createIdSource } from '../../platform/id/id.ts'
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

    const principal = await apiKeys.authenticate(made.key)
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
    expect(await apiKeys.authenticate(key)).toMatchObject({ rateFactor: 100 })
    isEnterprise = false
    expect(await apiKeys.authenticate(key)).toMatchObject({ rateFactor: 10 })
  })

  test('may do both without scopes', async () => {
    expect((await create()).scopes).toEqual(['read', 'write'])
  })

  test('stops at once when it is revoked, expires, or the plan ends', async () => {
    const [revoked, expiring, planless] = [await create(), await create({ expiresInDays: 1 }), await create()]
    expect((await call('DELETE', `/api/api-keys/${revoked.id}`)).json()).toEqual({ data: { revoked: true } })
    expect(await apiKeys.authenticate(revoked.key)).toBeUndefined()
    const session = await apiKeys.authenticate(expiring.key)
    if (!session) throw new Error('the key does not work')
    expect(await apiKeys.isLive(session)).toBe(true)
    clock.advance(24 * 3600)
    expect(await apiKeys.authenticate(expiring.key)).toBeUndefined()
    expect(await apiKeys.isLive(session)).toBe(false)
    expect(await apiKeys.authenticate(planless.key)).toBeDefined()
    const planlessSession = await apiKeys.authenticate(planless.key)
    if (!planlessSession) throw new Error('the key does not work')
    expect(await apiKeys.isLive(planlessSession)).toBe(true)
    hasAccess = false
    expect(await apiKeys.authenticate(planless.key)).toBeUndefined()
    expect(await apiKeys.isLive(planlessSession)).toBe(false)
    const ids = (await call('GET', '/api/api-keys')).json().data.map(({ id }: { id: string }) => id)
    expect(ids).toEqual([planless.id])
  })

  test.each(['', 'amk_', `amk_${'0'.repeat(40)}`, `amk_${'z'.repeat(40)}`, 'amk_1; drop table api_keys'])(
    'is not %j',
    async (key) => expect(await apiKeys.authenticate(key)).toBeUndefined(),
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
    expect(await apiKeys.authenticate(key)).toBeDefined()
  })

  test(`409 beyond ${MAX_KEYS} keys, also when many are asked for at once`, async () => {
    const answers = await Promise.all(
      Array.from({ length: MAX_KEYS + 5 }, () => call('POST', '/api/api-keys', { name: 'many' })),
    )
    const codes = answers.map(({ statusCode }) => statusCode)
    expect(codes.filter((code) => code === 201)).toHaveLength(MAX_KEYS)
    expect(codes.filter((code) => code === 409)).toHaveLength(5)
  })

  test('400 for a scope that there is not', async () => {
    expect((await call('POST', '/api/api-keys', { name: 'x', scopes: ['admin'] })).statusCode).toBe(400)
    expect((await call('POST', '/api/api-keys', { name: 'x', scopes: [] })).statusCode).toBe(400)
  })
})
