import { byWholeAccount, defineEndpoint, oneForm } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestHttp, tokenFor } from '../../../testing/test-http.ts'
import { route } from '../call.ts'

/** What pages of other sites may call: agents run in browsers, too. */

const common = { tag: 'Test', summary: 'test', description: 'test', status: 200, errors: [] } as const
const Caller = oneForm(
  Type.Object({ data: Type.Object({ ownerId: Type.Union([Type.String(), Type.Null()]) }) }),
)
const open = { ...common, access: 'public', rate: 'api', response: Caller, openToPages: true } as const

const readOpen = defineEndpoint({ ...open, id: 'readOpen', method: 'GET', path: '/api/open/{id}' })
const payOpen = defineEndpoint({
  ...open,
  id: 'payOpen',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/open/{id}',
})
const readPublic = defineEndpoint({
  ...open,
  openToPages: false,
  id: 'readPublic',
  method: 'GET',
  path: '/api/public',
})
const readOwn = defineEndpoint({
  ...common,
  id: 'readOwn',
  method: 'GET',
  path: '/api/own',
  access: 'owner',
  rate: 'api',
  response: Caller,
})

const FRIEND = 'https://friend.example'
const STRANGER = 'https://stranger.example'
const OWN = 'http://market.example'

const start = (corsOrigins: string[]) =>
  createTestHttp(
    [readOpen, payOpen, readPublic, readOwn].map((endpoint) =>
      route(endpoint, async ({ request }) => ({
        data: { ownerId: request.facts.principal?.ownerId ?? null },
      })),
    ),
    { corsOrigins, rateLimitsEnforced: true },
  )

let alone: Awaited<ReturnType<typeof start>>
let trusting: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  alone = await start([])
  trusting = await start([FRIEND])
})
afterAll(async () => {
  await alone.close()
  await trusting.close()
})

const callerOf = tokenFor({ ownerId: 'cvisitor' })
const cookie = `token=${callerOf}`

const call = (
  http: typeof alone,
  url: string,
  headers: Record<string, string>,
  method: 'GET' | 'POST' | 'OPTIONS' = 'GET',
) => http.app.inject({ method, url, headers: { host: 'market.example', ...headers } })

const ask = (http: typeof alone, url: string, origin: string, method = 'POST') =>
  call(http, url, { origin, 'access-control-request-method': method }, 'OPTIONS')

describe('what is open to pages', () => {
  test('is read by any page: the response says so, no matter which asks', async () => {
    for (const headers of [{}, { origin: STRANGER }, { origin: OWN }] as Record<string, string>[]) {
      const response = await call(alone, '/api/open/1', headers)
      expect(response.statusCode).toBe(200)
      expect(response.headers['access-control-allow-origin']).toBe('*')
      expect(response.headers['access-control-allow-credentials']).toBeUndefined()
      const shown = String(response.headers['access-control-expose-headers']).split(', ')
      expect(shown).toEqual(
        expect.arrayContaining(['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'Location', 'Retry-After']),
      )
    }
  })

  test('is permitted before it is called, with all that clients send, and without counting', async () => {
    const before = (await call(alone, '/api/open/1', {})).headers['x-ratelimit-remaining']
    const response = await ask(alone, '/api/open/1', STRANGER)
    expect([response.statusCode, response.body]).toEqual([204, ''])
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(response.headers['access-control-allow-credentials']).toBeUndefined()
    expect(String(response.headers['access-control-allow-methods']).split(', ').sort()).toEqual([
      'GET',
      'HEAD',
      'POST',
    ])
    const allowed = String(response.headers['access-control-allow-headers']).toLowerCase().split(', ')
    expect(allowed).toEqual(
      expect.arrayContaining([
        'content-type',
        'authorization',
        'payment-signature',
        'x-payment',
        'sign-in-with-x',
        'access-control-expose-headers',
        'prefer',
        'idempotency-key',
      ]),
    )
    const after = (await call(alone, '/api/open/1', {})).headers['x-ratelimit-remaining']
    expect(Number(before) - Number(after)).toBe(1)
  })

  test('knows no cookie of a visitor, but a token that the page itself has', async () => {
    const ownerOf = async (headers: Record<string, string>, method: 'GET' | 'POST' = 'GET') =>
      (await call(alone, '/api/open/1', headers, method)).json().data.ownerId
    for (const method of ['GET', 'POST'] as const) {
      expect(await ownerOf({ cookie, origin: STRANGER }, method)).toBeNull()
      expect(await ownerOf({ cookie, origin: 'null' }, method)).toBeNull()
      expect(await ownerOf({ cookie, origin: OWN }, method)).toBe('cvisitor')
    }
    expect(await ownerOf({ cookie })).toBe('cvisitor')
    expect(await ownerOf({ authorization: `Bearer ${callerOf}`, origin: STRANGER })).toBe('cvisitor')
  })

  test('can be read where it is refused, too', async () => {
    const refused = await call(alone, '/api/open/1', { origin: STRANGER, accept: 'text/plain' })
    expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([406, '*'])
    const http = await start([])
    let last = await call(http, '/api/open/1', { origin: STRANGER })
    while (last.statusCode === 200) last = await call(http, '/api/open/1', { origin: STRANGER })
    expect([last.statusCode, last.headers['access-control-allow-origin']]).toEqual([429, '*'])
    await http.close()
  })
})

describe('everything else', () => {
  test('is closed to pages of other sites', async () => {
    for (const url of ['/api/public', '/api/own']) {
      const response = await call(alone, url, { origin: STRANGER, cookie })
      expect(response.headers['access-control-allow-origin']).toBeUndefined()
      expect((await ask(alone, url, STRANGER, 'GET')).statusCode).toBe(404)
      expect((await ask(trusting, url, STRANGER, 'GET')).statusCode).toBe(404)
    }
  })

  test('is open to the sites of CORS_ORIGINS, with cookies', async () => {
    for (const url of ['/api/public', '/api/own', '/api/open/1']) {
      const response = await call(trusting, url, { origin: FRIEND, cookie })
      expect(response.json().data.ownerId).toBe('cvisitor')
      expect(response.headers['access-control-allow-origin']).toBe(FRIEND)
      expect(response.headers['access-control-allow-credentials']).toBe('true')
      expect(String(response.headers.vary)).toContain('Origin')
      const permission = await ask(trusting, url, FRIEND, 'GET')
      expect([permission.statusCode, permission.headers['access-control-allow-credentials']]).toEqual([
        204,
        'true',
      ])
    }
    const stranger = await call(trusting, '/api/open/1', { origin: STRANGER, cookie })
    expect(stranger.json().data.ownerId).toBeNull()
    expect(stranger.headers['access-control-allow-origin']).toBe('*')
    expect(stranger.headers['access-control-allow-credentials']).toBeUndefined()
  })
})
