import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { startWorld, type World } from '../../testing/start-world.ts'
import { uncounted } from '../../testing/uncounted.ts'
import type { WorldOwner } from '../../testing/world/world-people.ts'
import { isApiKey, MAX_KEYS, makeKey } from './rules.ts'

let world: World
let owner: WorldOwner
let lookUps = 0

/** The database, which counts how often it looks up a key. */
const countingLookUps = (db: Database): Database => ({
  ...db,
  maybeOne<Row>(statement: Sql) {
    if (statement.text.includes('key_hash = ')) lookUps += 1
    return db.maybeOne<Row>(statement)
  },
})

beforeAll(async () => {
  world = await startWorld({
    environment: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' },
    ports: ({ db }) => ({ db: countingLookUps(db), limiter: uncounted }),
  })
})
afterAll(() => world.close())
beforeEach(async () => {
  owner = await newOwner()
})

async function newOwner(): Promise<WorldOwner> {
  const made = await world.newOwner({ kycStatus: 'VERIFIED' })
  await world.openPlan(made.ownerId, 'API_ACCESS')
  return made
}

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, { headers } = owner) =>
  world.http.inject({ method, url, headers, ...(payload ? { payload } : {}) })
const create = async (body: object = {}) =>
  (await call('POST', '/api/api-keys', { name: 'Import', ...body })).json().data

/** The session that a key stands for, asked for from this address. */
const sessionOf = (key: string, address = '192.0.2.1') =>
  world.http.inject({
    url: '/api/auth/session',
    headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': address },
  })
const statusOf = async (key: string, address?: string) => (await sessionOf(key, address)).statusCode

describe('a key', () => {
  test('is shown once, kept as a hash, and stands for its owner', async () => {
    const made = await create({ scopes: ['read'] })
    expect(made).toMatchObject({ name: 'Import', scopes: ['read'], expiresAt: null, lastUsedAt: null })
    expect(isApiKey(made.key)).toBe(true)
    expect(made.key.startsWith(made.prefix)).toBe(true)
    const stored = await world.db.one<{ text: string }>(
      sql`select k::text as text from api_keys k where id = ${made.id}`,
    )
    expect(stored.text).not.toContain(made.key)
    const kept = await world.db.rows<{ text: string }>(sql`select i::text as text from idempotency_keys i`)
    expect(JSON.stringify(kept)).not.toContain(made.key)

    const session = await sessionOf(made.key)
    expect(session.statusCode).toBe(200)
    expect(session.json().data.owner).toMatchObject({ id: owner.ownerId, kycStatus: 'VERIFIED' })
    expect(session.headers['x-ratelimit-limit']).toBe('1000')
    const [listed] = (await call('GET', '/api/api-keys')).json().data
    expect(listed).not.toHaveProperty('key')
    expect(listed.lastUsedAt).toBe(world.wallClock.now().toISOString())
  })

  test('for reading changes nothing', async () => {
    const { key } = await create({ scopes: ['read'] })
    const headers = { authorization: `Bearer ${key}` }
    const payload = { content: 'hello' }
    const refused = await world.http.inject({ method: 'POST', url: '/api/files', headers, payload })
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'FORBIDDEN'])
  })

  test('has a hundred times the limits by the Enterprise plan', async () => {
    const { key } = await create()
    const limit = async () => (await sessionOf(key)).headers['x-ratelimit-limit']
    await world.openPlan(owner.ownerId, 'ENTERPRISE')
    expect(await limit()).toBe('10000')
    await world.endPlan(owner.ownerId, 'ENTERPRISE')
    expect(await limit()).toBe('1000')
  })

  test('of a process that knows no budgets works, is listed and can be revoked', async () => {
    const { key, prefix, hash } = makeKey()
    const id = world.newId()
    await world.db.run(sql`
      insert into api_keys (id, owner_id, name, prefix, key_hash, scopes, created_at)
      values (${id}, ${owner.ownerId}, 'Old', ${prefix}, ${hash}, '{read,write}', ${world.wallClock.now()})`)
    expect(await statusOf(key)).toBe(200)
    expect((await call('GET', '/api/api-keys')).json().data).toEqual([
      expect.objectContaining({ id, budget: expect.objectContaining({ caps: {} }) }),
    ])
    expect((await call('DELETE', `/api/api-keys/${id}`)).statusCode).toBe(200)
    expect(await statusOf(key)).toBe(401)
  })

  test('may do both without scopes', async () => {
    expect((await create()).scopes).toEqual(['read', 'write'])
  })

  test('is free: a plan only raises its limits', async () => {
    const planless = await world.newOwner()
    const made = await call('POST', '/api/api-keys', { name: 'Free' }, planless)
    expect(made.statusCode).toBe(201)
    const limit = async () => (await sessionOf(made.json().data.key)).headers['x-ratelimit-limit']
    expect(await limit()).toBe('100')
    await world.openPlan(planless.ownerId, 'API_ACCESS')
    expect(await limit()).toBe('1000')
    await world.endPlan(planless.ownerId, 'API_ACCESS')
    expect(await limit()).toBe('100')
  })

  test('stops at once when it is revoked or expires', async () => {
    const [revoked, expiring, lasting] = [await create(), await create({ expiresInDays: 1 }), await create()]
    expect((await call('DELETE', `/api/api-keys/${revoked.id}`)).json()).toEqual({ data: { revoked: true } })
    expect(await statusOf(revoked.key)).toBe(401)
    expect(await statusOf(expiring.key)).toBe(200)
    world.wallClock.advance(24 * 3600)
    expect(await statusOf(expiring.key)).toBe(401)
    expect(await statusOf(lasting.key)).toBe(200)
    // A day later the session is over too.
    owner = await world.newOwner({ wallet: owner.wallet })
    const ids = (await call('GET', '/api/api-keys')).json().data.map(({ id }: { id: string }) => id)
    expect(ids).toEqual([lasting.id])
  })

  test.each(['amk_', `amk_${'0'.repeat(40)}`, `amk_${'z'.repeat(40)}`, "amk_1;drop'table"])(
    'is not %j',
    async (key) => expect(await statusOf(key)).toBe(401),
  )
})

describe('refused', () => {
  test('403 to a key', async () => {
    const { key } = await create()
    const headers = { authorization: `Bearer ${key}` }
    const byKey = await call('POST', '/api/api-keys', { name: 'x' }, { ...owner, headers })
    expect(byKey.statusCode).toBe(403)
  })

  test('404 for another owner’s key, as for none', async () => {
    const { id, key } = await create()
    const stranger = await newOwner()
    expect((await call('DELETE', `/api/api-keys/${id}`, undefined, stranger)).statusCode).toBe(404)
    expect((await call('DELETE', `/api/api-keys/${world.newId()}`, undefined, stranger)).statusCode).toBe(404)
    expect(await statusOf(key)).toBe(200)
  })

  test(`409 beyond ${MAX_KEYS} keys, also when many are requested at once`, async () => {
    const responses = await Promise.all(
      Array.from({ length: MAX_KEYS + 5 }, () => call('POST', '/api/api-keys', { name: 'many' })),
    )
    const codes = responses.map(({ statusCode }) => statusCode)
    expect(codes.filter((code) => code === 201)).toHaveLength(MAX_KEYS)
    expect(codes.filter((code) => code === 409)).toHaveLength(5)
  })

  test('400 for a scope that there is not, and for a budget of nothing', async () => {
    expect((await call('POST', '/api/api-keys', { name: 'x', budget: { total: '0' } })).statusCode).toBe(400)
    expect((await call('POST', '/api/api-keys', { name: 'x', scopes: ['admin'] })).statusCode).toBe(400)
    expect((await call('POST', '/api/api-keys', { name: 'x', scopes: [] })).statusCode).toBe(400)
  })
})

describe('those who guess', () => {
  const [here, elsewhere] = ['198.51.100.1', '198.51.100.2']
  let guesses = 0
  const guess = (): string => {
    guesses += 1
    return `amk_${guesses.toString(16).padStart(40, 'f')}`
  }

  test('are looked up once for each key, and not more often than their address may call', async () => {
    const { key } = await create()
    const [bogus, before] = [guess(), lookUps]
    for (let time = 0; time < 5; time += 1) expect(await statusOf(bogus, here)).toBe(401)
    expect(lookUps - before).toBe(1)
    expect(await statusOf(key, here)).toBe(200)
    for (let number = 2; number <= 100; number += 1) expect(await statusOf(guess(), here)).toBe(401)
    const asked = lookUps
    const refused = await sessionOf(guess(), here)
    expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(refused.headers['retry-after']).toBe('60')
    expect(lookUps).toBe(asked)
    // A key that is known to work is not locked out by its neighbours, and nobody elsewhere is.
    expect(await statusOf(key, here)).toBe(200)
    expect(await statusOf(guess(), elsewhere)).toBe(401)
    world.wallClock.advance(61)
    expect(await statusOf(guess(), here)).toBe(401)
  })

  test('are not held up where limits are off', async () => {
    const { http } = await world.startBeside({ environment: { RATE_LIMITS: 'off' } })
    for (let number = 1; number <= 120; number += 1) {
      const headers = { authorization: `Bearer ${guess()}` }
      expect((await http.inject({ url: '/api/auth/session', headers })).statusCode).toBe(401)
    }
  })
})
