import { type AddressInfo, connect } from 'node:net'
import { byWholeAccount, defineEndpoint, oneForm, twoForms } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { printFigures, timesFor } from '../../testing/proof.ts'
import { createTestHttp, testPrincipal, tokenFor } from '../../testing/test-http.ts'
import { sql } from '../db/sql.ts'
import { pagePolicy, securityHeadersOf } from './browsers/security-headers.ts'
import { route, WithStatus } from './call.ts'
import { createClientAddress } from './limits/client-address.ts'

const common = { tag: 'Test', summary: 'test', description: 'test', status: 200, errors: [] } as const
const Done = oneForm(Type.Object({ data: Type.Unknown() }))

const open = defineEndpoint({
  ...common,
  id: 'open',
  method: 'GET',
  path: '/api/open',
  access: 'public',
  rate: 'api',
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    flag: Type.Optional(Type.Boolean()),
    q: Type.Optional(Type.String()),
  }),
  response: Done,
})
const search = defineEndpoint({
  ...common,
  id: 'search',
  method: 'GET',
  path: '/api/search',
  access: 'public',
  rate: 'search',
  response: Done,
})
const signIn = defineEndpoint({
  ...common,
  id: 'signIn',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/sign-in',
  access: 'public',
  rate: 'auth',
  body: oneForm(Type.Object({ walletAddress: Type.String() })),
  response: Done,
})
const own = defineEndpoint({
  ...common,
  id: 'own',
  method: 'GET',
  path: '/api/own',
  access: 'owner',
  rate: 'api',
  response: Done,
})
const sell = defineEndpoint({
  ...common,
  id: 'sell',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/sell',
  access: 'paidSeller',
  rate: 'api',
  refusesSuspended: true,
  response: Done,
})
const administer = defineEndpoint({
  ...common,
  id: 'administer',
  method: 'GET',
  path: '/api/administer',
  access: 'admin',
  rate: 'api',
  response: Done,
})
const make = defineEndpoint({
  ...common,
  id: 'make',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/things/{name}',
  access: 'owner',
  rate: 'api',
  params: Type.Object({ name: Type.String({ maxLength: 40 }) }),
  body: twoForms({
    a: Type.Object({ title: Type.String({ maxLength: 10 }), rate: Type.String() }),
    b: Type.Object({ heading: Type.String(), skills: Type.Array(Type.String()) }),
  }),
  status: 201,
  response: twoForms({
    a: Type.Object({ data: Type.Object({ id: Type.Integer(), title: Type.String() }) }),
    b: Type.Object({ data: Type.Object({ thing: Type.Object({ heading: Type.String() }) }) }),
  }),
})
const fail = defineEndpoint({
  ...common,
  id: 'fail',
  method: 'GET',
  path: '/api/fail',
  access: 'public',
  rate: 'api',
  response: Done,
})

let made = 0
let refuseMaking = false

const routes = [
  route(open, async ({ query }) => ({ data: query })),
  route(search, async () => ({ data: 1 })),
  route(signIn, async () => ({ data: 1 })),
  route(own, async ({ principal }) => ({ data: principal.ownerId })),
  route(sell, async () => ({ data: 1 })),
  route(administer, async () => ({ data: 1 })),
  route(make, async (call) =>
    call.transaction(async (tx) => {
      made += 1
      const { count } = await tx.one<{ count: bigint }>(sql`select count(*) as count from owners`)
      if (refuseMaking) throw new Error('secret detail of a failure')
      const text = call.body.form === 'a' ? call.body.value.title : call.body.value.heading
      return new WithStatus(201, {
        a: { data: { id: Number(count), title: text } },
        b: { data: { thing: { heading: text } } },
      })
    }),
  ),
  route(fail, async () => {
    throw new Error('password=hunter2 at postgres://user@host')
  }),
]

let http: Awaited<ReturnType<typeof createTestHttp>>
beforeAll(async () => {
  http = await createTestHttp(routes)
  await http.db.run(sql`
    insert into owners (id, wallet_address, created_at)
    values (${testPrincipal.ownerId}, '0x0000000000000000000000000000000000000001', now())`)
})
afterAll(() => http.close())
// A new minute for each test: nobody's limit is another test's.
beforeEach(() => http.clock.advance(61))

const bearer = (fields = {}) => ({ authorization: `Bearer ${tokenFor(fields)}` })
const json = { 'content-type': 'application/json' }

describe('every response', () => {
  test.each([
    ['GET', '/api/open', 200],
    ['GET', '/api/open?limit=0', 400],
    ['GET', '/api/own', 401],
    ['GET', '/nowhere', 404],
    ['GET', '/api/nowhere', 404],
    ['GET', '/api/fail', 500],
    ['GET', '/%E0%A4%A', 400],
  ] as const)(
    '%s %s carries the request id, the rate headers and the security headers',
    async (method, url, status) => {
      const response = await http.app.inject({ method, url })
      expect(response.statusCode).toBe(status)
      expect(response.headers['x-request-id']).toMatch(/^req_[0-9a-z]{16,}$/)
      expect(Number(response.headers['x-ratelimit-limit'])).toBe(100)
      expect(Number(response.headers['x-ratelimit-remaining'])).toBeLessThanOrEqual(100)
      expect(Number(response.headers['x-ratelimit-reset'])).toBeGreaterThan(1_700_000_000)
      expect(response.headers).toMatchObject(securityHeadersOf({ https: false }))
      if (status !== 200) {
        const { error } = response.json()
        expect(Object.keys(error).sort()).toEqual([
          'code',
          'details',
          'message',
          'requestId',
          'statusCode',
          'timestamp',
        ])
        expect(error).toMatchObject({ statusCode: status, requestId: response.headers['x-request-id'] })
      }
    },
  )

  test('the security headers are those that browsers know, and https adds that it stays https', () => {
    expect(securityHeadersOf({ https: true })).toMatchObject({
      'content-security-policy':
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    })
    expect(securityHeadersOf({ https: false })).not.toHaveProperty('strict-transport-security')
    expect(pagePolicy()).not.toMatch(/script-src[^;]*unsafe/)
    expect(pagePolicy()).toContain("object-src 'none'")
  })

  test('a safe request id is kept, another is replaced', async () => {
    const kept = await http.app.inject({ url: '/api/open', headers: { 'x-request-id': 'caller-id-12345' } })
    expect(kept.headers['x-request-id']).toBe('caller-id-12345')
    const replaced = await http.app.inject({ url: '/api/open', headers: { 'x-request-id': 'a b\u00e9"' } })
    expect(replaced.headers['x-request-id']).toMatch(/^req_/)
  })

  test('a failure keeps its text inside', async () => {
    const response = await http.app.inject({ url: '/api/fail' })
    expect(response.json().error.code).toBe('INTERNAL_ERROR')
    expect(response.body).not.toMatch(/hunter2|postgres/)
  })
})

describe('429', () => {
  const AT_ONCE = 30
  /** Two requests in three claim to come from one of twenty other machines. */
  const madeUpAddress = (number: number): Record<string, string> => {
    const address = `198.51.100.${number % 20}`
    return [
      {},
      { 'x-forwarded-for': address },
      { 'x-real-ip': address, forwarded: `for=${address}`, 'cf-connecting-ip': address },
    ][number % 3] as Record<string, string>
  }

  test('exactly 100 calls a minute pass, the next waits, and the window opens again', async () => {
    const responses = []
    for (let call = 0; call < 101; call += 1) responses.push(await http.app.inject({ url: '/api/open' }))
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(100)
    const refused = responses.at(-1)
    expect(refused?.statusCode).toBe(429)
    expect(refused?.json().error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { retryAfterSeconds: 60 },
    })
    expect(refused?.headers['retry-after']).toBe('60')
    expect(refused?.headers['x-ratelimit-remaining']).toBe('0')
    http.clock.advance(60)
    expect((await http.app.inject({ url: '/api/open' })).statusCode).toBe(200)
  })

  test('exactly the limit passes in every window, thirty at a time and by made-up addresses too', async () => {
    const windows = timesFor({ usual: 1, proof: 50 })
    const signingIn = { method: 'POST', url: '/api/sign-in', payload: '{"walletAddress":"0xabc"}' } as const
    const kinds = [
      { limit: 10, headers: json, request: signingIn },
      { limit: 100, headers: {}, request: { url: '/api/open' } as const },
      { limit: 200, headers: {}, request: { url: '/api/search' } as const },
    ]
    const figures = { windows, passed: 0, refused: 0, wrong: 0 }
    for (let window = 0; window < windows; window += 1) {
      http.clock.advance(61)
      for (const { limit, headers, request } of kinds) {
        const statuses: number[] = []
        for (let sent = 0; sent < limit + AT_ONCE; sent += AT_ONCE) {
          const responses = Array.from({ length: AT_ONCE }, (_, index) =>
            http.app.inject({ ...request, headers: { ...headers, ...madeUpAddress(sent + index) } }),
          )
          statuses.push(...(await Promise.all(responses)).map(({ statusCode }) => statusCode))
        }
        const passed = statuses.filter((status) => status === 200).length
        const refused = statuses.filter((status) => status === 429).length
        expect([passed, refused]).toEqual([limit, statuses.length - limit])
        figures.passed += passed
        figures.refused += refused
        figures.wrong += Math.abs(passed - limit)
      }
    }
    printFigures('G14', figures)
  })

  test('comes before 401, and unknown paths under /api count too', async () => {
    for (let call = 0; call < 100; call += 1) await http.app.inject({ url: '/api/nowhere' })
    expect((await http.app.inject({ url: '/api/own' })).statusCode).toBe(429)
    expect((await http.app.inject({ url: '/nowhere' })).statusCode).toBe(404)
  })

  test('signed-in owners are counted by owner, searches by their own limit', async () => {
    for (let call = 0; call < 100; call += 1) await http.app.inject({ url: '/api/open' })
    expect((await http.app.inject({ url: '/api/open', headers: bearer() })).statusCode).toBe(200)
    const found = await http.app.inject({ url: '/api/search' })
    expect([found.statusCode, found.headers['x-ratelimit-limit']]).toEqual([200, '200'])
  })

  test('a credential with ten times the limit has ten times the limit', async () => {
    const response = await http.app.inject({ url: '/api/open', headers: bearer({ rateFactor: 10 }) })
    expect([response.headers['x-ratelimit-limit'], response.headers['x-ratelimit-remaining']]).toEqual([
      '1000',
      '999',
    ])
    const usual = await http.app.inject({ url: '/api/open', headers: bearer() })
    expect([usual.headers['x-ratelimit-limit'], usual.headers['x-ratelimit-remaining']]).toEqual([
      '100',
      '99',
    ])
  })

  test('sign-in is counted by address and wallet, and an address cannot try many wallets', async () => {
    const attempt = (walletAddress: string) =>
      http.app.inject({
        method: 'POST',
        url: '/api/sign-in',
        headers: json,
        payload: JSON.stringify({ walletAddress }),
      })
    const statuses = []
    for (let call = 0; call < 11; call += 1) statuses.push((await attempt('0xAbC')).statusCode)
    expect(statuses).toEqual([...Array(10).fill(200), 429])
    expect((await attempt('0xabc')).statusCode).toBe(429)
    const other = await attempt('0xother')
    expect([
      other.statusCode,
      other.headers['x-ratelimit-limit'],
      other.headers['x-ratelimit-remaining'],
    ]).toEqual([200, '10', '9'])
    for (let call = 0; call < 87; call += 1) await attempt(`0x${call}`)
    expect((await attempt('0xfresh')).statusCode).toBe(429)
  })

  test('a malformed sign-in counts as well', async () => {
    const statuses = []
    for (let call = 0; call < 11; call += 1) {
      const response = await http.app.inject({
        method: 'POST',
        url: '/api/sign-in',
        headers: json,
        payload: '{',
      })
      statuses.push(response.statusCode)
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429])
  })

  test('switched off, the headers stay and nobody is refused', async () => {
    const unlimited = await createTestHttp(routes, { rateLimitsEnforced: false })
    for (let call = 0; call < 105; call += 1) await unlimited.app.inject({ url: '/api/open' })
    const response = await unlimited.app.inject({ url: '/api/open' })
    expect([response.statusCode, response.headers['x-ratelimit-remaining']]).toEqual([200, '0'])
    await unlimited.close()
  })
})

describe('the client address', () => {
  const addressOf = (proxies: string[], peer: string, forwarded?: string) =>
    createClientAddress(proxies)({
      socket: { remoteAddress: peer },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    } as never)

  test.each([
    [[], '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    [[], '::ffff:203.0.113.9', undefined, '203.0.113.9'],
    [['10.0.0.0/8'], '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    [['10.0.0.0/8'], '10.1.2.3', '6.6.6.6, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    [['10.0.0.0/8'], '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    [['10.0.0.0/8'], '10.1.2.3', 'not-an-address', '10.1.2.3'],
    [['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
    [[], '::ffff:cb00:7109', undefined, '203.0.113.9'],
    [[], '0:0:0:0:0:FFFF:203.0.113.9', undefined, '203.0.113.9'],
    [[], '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
    [[], '2001:0DB8:0001:0002::', undefined, '2001:db8:1:2::/64'],
    [[], '2001:db8:1:2::ffff', undefined, '2001:db8:1:2::/64'],
    [[], '2001:db8::1', undefined, '2001:db8:0:0::/64'],
    [[], '::1', undefined, '0:0:0:0::/64'],
    [[], 'fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
    [['10.0.0.0/8'], '::ffff:10.1.2.3', '::ffff:c633:6401', '198.51.100.1'],
    [['2001:db8::/32'], '2001:db8::1', '2001:DB9:0::7', '2001:db9:0:0::/64'],
  ])('proxies %j, peer %s, forwarded %s: %s', (proxies, peer, forwarded, expected) => {
    expect(addressOf(proxies, peer, forwarded)).toBe(expected)
  })
})

describe('406', () => {
  const ask = (accept: string) =>
    http.app.inject({
      method: 'POST',
      url: '/api/things/one',
      headers: { ...bearer(), ...json, accept },
      payload: JSON.stringify({ title: 'T', rate: '1' }),
    })
  const v1 = 'application/vnd.agent-marketplace.v1+json'
  const v2 = 'application/vnd.agent-marketplace.v2+json'
  const plain = 'application/json'

  test.each([
    ['*/*', plain],
    ['application/*', plain],
    ['text/html,application/xhtml+xml,*/*;q=0.8', plain],
    ['Application/JSON', plain],
    [`${plain}, ${v2}`, v2],
    [v1.toUpperCase(), v1],
    [`${v1};q=0.5, ${v2};q=0.8`, v2],
    [`${v2};q=0.1, ${plain}`, plain],
    [`${v1};q=0, */*`, plain],
    [`${v2} ; charset=utf-8 ; q=1.0`, v2],
    [`${v1},${v2}`, v1],
    [`text/html, ${v2};q=0.2`, v2],
    ['', plain],
  ])('%s is sent %s', async (accept, type) => {
    const response = await ask(accept)
    expect([response.statusCode, String(response.headers['content-type']).split(';')[0]]).toEqual([201, type])
    expect(response.headers.vary).toBe('Accept')
  })

  test.each(['text/html', 'application/xml, text/*', 'application/json;q=0', '*/*;q=0', 'json'])(
    '%s is refused',
    async (accept) => {
      const response = await ask(accept)
      expect(response.statusCode).toBe(406)
      expect(response.json().error.code).toBe('NOT_ACCEPTABLE')
    },
  )
})

describe('what is kept in transit', () => {
  test('nothing that is private', async () => {
    const own = await http.app.inject({ url: '/api/own', headers: bearer() })
    expect([own.headers['cache-control'], own.headers.vary]).toEqual(['no-store', 'Accept'])
    const refused = await http.app.inject({ url: '/api/own' })
    expect([refused.statusCode, refused.headers['cache-control']]).toEqual([401, 'no-store'])
    const seen = await http.app.inject({ url: '/api/open', headers: bearer() })
    expect(seen.headers['cache-control']).toBe('no-store')
    const open = await http.app.inject({ url: '/api/open' })
    expect([open.headers['cache-control'], open.headers.vary]).toEqual([undefined, 'Accept'])
  })
})

test('a trailing slash is the same resource, also under an Idempotency-Key', async () => {
  expect((await http.app.inject({ url: '/api/open/?limit=5' })).json()).toEqual({ data: { limit: 5 } })
  const send = (url: string) =>
    http.app.inject({
      method: 'POST',
      url,
      headers: { ...bearer(), ...json, 'idempotency-key': 'slash-1' },
      payload: JSON.stringify({ title: 'T', rate: '1' }),
    })
  expect((await send('/api/things/slash')).statusCode).toBe(201)
  const again = await send('/api/things/slash/')
  expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
})

test('an empty value in a query is not given', async () => {
  expect((await http.app.inject({ url: '/api/open?q=&limit=&flag=' })).json()).toEqual({
    data: { limit: 20 },
  })
})

describe('what is no HTTP request', () => {
  let port: number
  beforeAll(async () => {
    await http.app.listen({ port: 0, host: '127.0.0.1' })
    const address = http.app.server.address()
    port = typeof address === 'object' && address ? address.port : 0
  })

  /** Everything that the server sends back to these bytes. */
  const exchange = (bytes: string, to = port): Promise<string> =>
    new Promise((resolve, reject) => {
      let received = ''
      const socket = connect(to, '127.0.0.1', () => socket.write(bytes))
      socket.on('data', (chunk) => {
        received += chunk
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(received))
    })

  test.each([
    ['an endless header', `GET /api/open HTTP/1.1\r\nhost: x\r\na: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['an endless path', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
    ['another protocol', 'HELO example.com\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/sell HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
    ],
    ['no host', 'GET /api/open HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['two hosts', 'GET /api/open HTTP/1.1\r\nhost: x\r\nHost: y\r\nconnection: close\r\n\r\n', 400],
  ])('%s gets the envelope and the headers of every response', async (_name, bytes, status) => {
    const [head = '', body = ''] = (await exchange(bytes)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    for (const header of [
      /^x-ratelimit-limit: 100$/im,
      /^x-ratelimit-remaining: \d+$/im,
      /^x-ratelimit-reset: \d{10}$/im,
      /^x-content-type-options: nosniff$/im,
      /^cache-control: no-store$/im,
      /^content-type: application\/json/im,
    ]) {
      expect(head).toMatch(header)
    }
    const { error } = JSON.parse(body)
    expect(error).toMatchObject({ statusCode: status, details: expect.anything() })
    expect(head).toContain(`x-request-id: ${error.requestId}`)
  })

  test.each([
    ['head', 'POST /api/sell HTTP/1.1\r\nhost: x\r\n'],
    [
      'body',
      'POST /api/sign-in HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    ],
  ])('a %s that never ends gets 408 in the envelope, and the connection ends', async (_part, bytes) => {
    const slow = await createTestHttp(routes, { bodyTimeoutMs: 20 })
    expect([slow.app.server.headersTimeout, slow.app.server.requestTimeout]).toEqual([10_000, 600_000])
    Object.assign(slow.app.server, { headersTimeout: 20, connectionsCheckingInterval: 5 })
    await slow.app.listen({ port: 0, host: '127.0.0.1' })
    const [head = '', body = ''] = (
      await exchange(bytes, (slow.app.server.address() as AddressInfo).port)
    ).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1.1 408 Request Timeout/)
    expect(head).toMatch(/^connection: close$/im)
    expect(JSON.parse(body).error).toMatchObject({ code: 'REQUEST_TIMEOUT', statusCode: 408 })
    await slow.close()
  })

  test('an expectation is no reason to refuse', async () => {
    const told = await exchange(
      'GET /api/open HTTP/1.1\r\nhost: x\r\nexpect: the-unexpected\r\nconnection: close\r\n\r\n',
    )
    expect(told).toMatch(/^HTTP\/1.1 200 /)
    expect(told).toMatch(/x-ratelimit-limit: 100/i)
  })
})

describe('401', () => {
  test.each([
    ['no credential', {}],
    ['a bad bearer token', { authorization: 'Bearer nonsense' }],
    ['a bad cookie', { cookie: 'token=nonsense' }],
    [
      'a bad bearer beside a good cookie',
      { authorization: 'Bearer nonsense', cookie: `token=${tokenFor()}` },
    ],
  ])('%s', async (_name, headers) => {
    const response = await http.app.inject({ url: '/api/own', headers })
    expect([response.statusCode, response.json().error.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  test('both credentials open the door', async () => {
    expect((await http.app.inject({ url: '/api/own', headers: bearer() })).statusCode).toBe(200)
    const cookie = `theme=dark; token=${tokenFor()}; other=1`
    expect((await http.app.inject({ url: '/api/own', headers: { cookie } })).statusCode).toBe(200)
  })
})

describe('403', () => {
  const verified = { kycStatus: 'VERIFIED', kycFeePaid: true } as const
  const sellWith = (headers: Record<string, string>) =>
    http.app.inject({ method: 'POST', url: '/api/sell', headers })

  test('a cookie alone proves no intent: mutations need the session’s CSRF token', async () => {
    const cookie = `token=${tokenFor(verified)}`
    expect((await sellWith({ cookie })).json().error.code).toBe('FORBIDDEN')
    expect((await sellWith({ cookie, 'x-csrf-token': 'csrf-of-session-2' })).statusCode).toBe(403)
    expect((await sellWith({ cookie, authorization: 'Basic junk' })).statusCode).toBe(403)
    expect((await sellWith({ cookie, 'x-csrf-token': testPrincipal.csrfToken })).statusCode).toBe(200)
  })

  test.each([
    [{ kycStatus: 'PENDING' }, 'KYC_REQUIRED'],
    [{ kycStatus: 'VERIFIED', kycFeePaid: false }, 'KYC_REQUIRED'],
    [{ ...verified, accountStatus: 'SUSPENDED' }, 'FORBIDDEN'],
    [{ ...verified, accountStatus: 'DEACTIVATED' }, 'FORBIDDEN'],
  ])('selling as %j: %s', async (fields, code) => {
    const response = await sellWith(bearer(fields))
    expect([response.statusCode, response.json().error.code]).toEqual([403, code])
  })

  test('an API key does what its scopes say', async () => {
    const reading = bearer({ ...verified, scopes: ['read'] })
    expect((await http.app.inject({ url: '/api/own', headers: reading })).statusCode).toBe(200)
    expect((await sellWith(reading)).json().error.code).toBe('FORBIDDEN')
    expect((await sellWith(bearer({ ...verified, scopes: ['write'] }))).statusCode).toBe(200)
  })

  test('suspended owners still read, deactivated ones do not, and admin calls are for admins', async () => {
    expect(
      (await http.app.inject({ url: '/api/own', headers: bearer({ accountStatus: 'SUSPENDED' }) }))
        .statusCode,
    ).toBe(200)
    expect(
      (await http.app.inject({ url: '/api/own', headers: bearer({ accountStatus: 'DEACTIVATED' }) }))
        .statusCode,
    ).toBe(403)
    expect((await http.app.inject({ url: '/api/administer', headers: bearer() })).statusCode).toBe(403)
    expect(
      (await http.app.inject({ url: '/api/administer', headers: bearer({ isAdmin: true }) })).statusCode,
    ).toBe(200)
  })
})

describe('400, 413, 415', () => {
  const post = (payload: string | Buffer, headers: Record<string, string> = json) =>
    http.app.inject({ method: 'POST', url: '/api/things/x', headers: { ...bearer(), ...headers }, payload })

  test.each([
    ['malformed JSON', '{"title":'],
    ['no body', ''],
    ['not an object', '[]'],
    ['a NUL character', '{"title":"a\\u0000b","rate":"1"}'],
    ['half a surrogate pair', '{"title":"\\ud800","rate":"1"}'],
    ['nesting without end', `{"title":${'['.repeat(40)}${']'.repeat(40)},"rate":"1"}`],
    ['a number without end', '{"title":"a","rate":"1","more":[-1e999]}'],
    ['a wrong type', '{"title":5,"rate":"1"}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('%s is a VALIDATION_ERROR', async (_name, payload) => {
    const before = made
    const response = await post(payload)
    expect([response.statusCode, response.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(response.json().error.details.issues.length).toBeGreaterThan(0)
    expect(made).toBe(before)
  })

  test('a body that fits neither form is measured against the nearer one', async () => {
    const nearA = await post('{"title":"x","other":1}')
    expect(nearA.json().error.details.issues).toEqual([{ path: '/rate', message: 'is required' }])
    const nearB = await post('{"heading":"x"}')
    expect(nearB.json().error.details.issues).toEqual([{ path: '/skills', message: 'is required' }])
  })

  test('size, content type and content encoding', async () => {
    expect((await post(`{"title":"${'x'.repeat(100_001)}"}`)).json().error.code).toBe('PAYLOAD_TOO_LARGE')
    expect((await post('title=x', { 'content-type': 'application/x-www-form-urlencoded' })).statusCode).toBe(
      415,
    )
    expect((await post('{}', { 'content-type': 'text/plain' })).json().error.code).toBe(
      'UNSUPPORTED_MEDIA_TYPE',
    )
    expect((await post('{}', { ...json, 'content-encoding': 'gzip' })).statusCode).toBe(415)
  })

  test('keys that reach for a prototype are dropped', async () => {
    const response = await post(
      '{"title":"x","rate":"1","__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}',
    )
    expect(response.statusCode).toBe(201)
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
  })

  test.each([
    'limit=1&limit=2',
    'limit=1e2',
    'limit=+5',
    'limit=101',
    'flag=yes',
    'q=a%00b',
    'flag=true&flag=true',
  ])('query %s', async (query) => {
    const response = await http.app.inject({ url: `/api/open?${query}` })
    expect([response.statusCode, response.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('defaults and conversions of a good query', async () => {
    const response = await http.app.inject({ url: '/api/open?flag=true&unknown=1&unknown=2' })
    expect(response.json()).toEqual({ data: { limit: 20, flag: true } })
  })
})

describe('two forms', () => {
  const post = (payload: object, accept?: string) =>
    http.app.inject({
      method: 'POST',
      url: '/api/things/x',
      headers: { ...bearer(), ...json, ...(accept ? { accept } : {}) },
      payload: JSON.stringify(payload),
    })

  test('either body is taken, a plain response has both forms, a vendor type one', async () => {
    const a = { id: 1, title: 'hello' }
    const b = { thing: { heading: 'hello' } }
    expect((await post({ title: 'hello', rate: '1' })).json()).toEqual({ data: { ...a, ...b } })
    expect((await post({ heading: 'hello', skills: [] }, '*/*')).json()).toEqual({ data: { ...a, ...b } })
    const formA = await post({ heading: 'hello', skills: [] }, 'application/vnd.agent-marketplace.v1+json')
    expect([formA.json(), formA.headers['content-type']]).toEqual([
      { data: a },
      'application/vnd.agent-marketplace.v1+json; charset=utf-8',
    ])
    const formB = await post({ title: 'hello', rate: '1' }, 'application/vnd.agent-marketplace.v2+json')
    expect(formB.json()).toEqual({ data: b })
  })
})

describe('Idempotency-Key', () => {
  const post = (key: string, title: string) =>
    http.app.inject({
      method: 'POST',
      url: '/api/things/x',
      headers: { ...bearer(), ...json, 'idempotency-key': key },
      payload: JSON.stringify({ title, rate: '1' }),
    })

  test('twenty twins at once do the work once and get one response', async () => {
    const before = made
    const responses = await Promise.all(Array.from({ length: 20 }, () => post('twins', 'one')))
    expect(new Set(responses.map(({ body }) => body)).size).toBe(1)
    expect(responses.every(({ statusCode }) => statusCode === 201)).toBe(true)
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(19)
    expect(made).toBe(before + 1)
  })

  test('the same key with another body is refused', async () => {
    await post('conflict', 'one')
    const response = await post('conflict', 'two')
    expect([response.statusCode, response.json().error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })

  test('a failure is not kept: the same key may try again', async () => {
    refuseMaking = true
    expect((await post('again', 'one')).statusCode).toBe(500)
    refuseMaking = false
    const response = await post('again', 'one')
    expect([response.statusCode, response.headers['idempotent-replayed']]).toEqual([201, undefined])
  })

  test('after a day the key is free again', async () => {
    await post('old', 'one')
    http.clock.advance(24 * 3600 + 1)
    const response = await post('old', 'two')
    expect([response.statusCode, response.headers['idempotent-replayed']]).toEqual([201, undefined])
  })

  test('an unreadable key is refused', async () => {
    expect((await post('x'.repeat(256), 'one')).json().error.code).toBe('VALIDATION_ERROR')
  })
})
