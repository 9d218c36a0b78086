import { gunzipSync } from 'node:zlib'
import { errorCodes, formMediaTypes, PlatformConfig } from '@agent-marketplace/contract'
import { Check } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '../../testing/start-world.ts'

const environment = { PUBLIC_URL: 'https://market.example' }
let world: World
beforeAll(async () => {
  world = await startWorld({ environment: { ...environment, METRICS_TOKEN: 'a-token-for-metrics' } })
})
afterAll(() => world.close())

const get = (url: string, headers: Record<string, string> = {}) => world.http.inject({ url, headers })

describe('/api/config', () => {
  test.each(['application/json', formMediaTypes.a, formMediaTypes.b])('%s', async (accept) => {
    const response = await get('/api/config', { accept })
    expect(response.statusCode).toBe(200)
    const { data } = response.json()
    expect(Check(PlatformConfig, data)).toBe(true)
    const { facts } = world.chain
    const { isTee, statement } = world.deps.wallets.custody
    expect(data).toMatchObject({
      mode: 'sandbox',
      chain: { id: 31337, name: facts.name, rpcUrl: 'https://market.example/rpc', explorerUrl: null },
      contracts: facts.contracts,
      usdc: { address: facts.contracts.usdc, ...facts.usdc },
      spender: facts.spender,
      custody: { isTee, statement },
    })
    expect(data.limits).toMatchObject({
      requestsPerMinute: { auth: 10, search: 200, api: 100 },
      escrowThreshold: '100000000',
      amlFlag: '5000000000',
      freeTierAgents: 1,
    })
    expect(data.fees).toMatchObject({ escrowBps: 200, x402Bps: 0 })
    expect(data.plans.map((plan: { plan: string }) => plan.plan)).toEqual([
      'AGENT_QUOTA',
      'PREMIUM_LISTING',
      'API_ACCESS',
      'ENTERPRISE',
    ])
  })
})

const pages = [
  ['/health/live', 'application/json; charset=utf-8'],
  ['/health/ready', 'application/json; charset=utf-8'],
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/openapi/v1.json', 'application/json; charset=utf-8'],
  ['/openapi/v2.json', 'application/json; charset=utf-8'],
  ['/docs/index.json', 'application/json; charset=utf-8'],
  ['/docs/first-hire.md', 'text/markdown; charset=utf-8'],
  ['/docs/reference.md', 'text/markdown; charset=utf-8'],
  ['/docs/errors.md', 'text/markdown; charset=utf-8'],
  ['/docs.md', 'text/markdown; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
  ['/llms-full.txt', 'text/plain; charset=utf-8'],
  ['/.well-known/agent-card.json', 'application/json; charset=utf-8'],
] as const

test.each(pages)(
  '%s has its type and the headers of every response, and counts toward no limit',
  async (path, type) => {
    const [first, second] = [await get(path), await get(path)]
    for (const response of [first, second]) {
      expect(response.statusCode).toBe(200)
      expect(response.headers).toMatchObject({
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'x-ratelimit-limit': '100',
        'x-ratelimit-remaining': '100',
        'x-request-id': expect.any(String),
      })
    }
  },
)

describe('documents', () => {
  test('are sent compressed when asked for, and not again when unchanged', async () => {
    const plain = await get('/openapi.json')
    const compressed = await get('/openapi.json', { 'accept-encoding': 'br, gzip' })
    expect(compressed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body)
    const again = await get('/openapi.json', { 'if-none-match': String(plain.headers.etag) })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
  })
})

describe('openapi', () => {
  test.each([
    ['/openapi.json', '1.0.0'],
    ['/openapi/v1.json', '1.0.0'],
    ['/openapi/v2.json', '2.0.0'],
  ])('%s shows exactly what is mounted, and every reference resolves', async (path, version) => {
    const document = (await get(path)).json()
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { version },
      servers: [{ url: 'https://market.example' }],
    })
    expect(Object.keys(document.paths)).toEqual([
      ...new Set(world.endpoints.map(({ path: mounted }) => mounted)),
    ])
    for (const reference of referencesIn(document)) {
      const target = reference
        .slice(2)
        .split('/')
        .reduce((node, key) => node?.[key], document)
      expect(target, reference).toBeDefined()
    }
  })
})

function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : referencesIn(value),
  )
}

describe('/metrics', () => {
  test.each([
    ['no credential', {}],
    ['another token', { authorization: 'Bearer another' }],
    ['a prefix of the token', { authorization: 'Bearer a-token' }],
    ['another scheme', { authorization: 'Basic a-token-for-metrics' }],
  ])('401 with %s', async (_name, headers) => {
    const response = await get('/metrics', headers)
    expect(response.statusCode).toBe(401)
    expect(response.headers['www-authenticate']).toBe('Bearer')
    expect(response.json().error.code).toBe('UNAUTHORIZED')
  })

  test('shows requests by route to who has the token', async () => {
    await get('/api/config')
    const response = await get('/metrics', { authorization: 'Bearer a-token-for-metrics' })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toContain('text/plain')
    expect(response.body).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/api\/config",status="200"\} [1-9]/,
    )
    expect(response.body).toContain('process_resident_memory_bytes')
  })

  test('is open when no token is set', async () => {
    const open = await world.startBeside({ environment })
    expect((await open.http.inject('/metrics')).statusCode).toBe(200)
  })
})

test('the contents of the documentation name every call, and sections as their headings do', async () => {
  const { guides, reference, errors } = (await get('/docs/index.json')).json()
  const named = reference.flatMap(({ operations }: { operations: { id: string }[] }) =>
    operations.map(({ id }) => id),
  )
  expect(named.sort()).toEqual(world.endpoints.map(({ id }) => id).sort())
  expect(errors.map(({ code }: { code: string }) => code)).toEqual(errorCodes)
  const hire = guides.find(({ slug }: { slug: string }) => slug === 'first-hire')
  expect([hire.title, hire.description]).toEqual([
    'Hire your first agent',
    'Find an agent, pay it in USDC and get its result: in the browser, or with a program of twenty lines.',
  ])
  expect(hire.sections[1]).toMatchObject({ id: 'with-a-program', title: 'With a program' })
  expect(hire.sections[1].text).toContain('createMarketplaceClient')
})

describe('security.txt', () => {
  test('names the contact that is set, and ends within a year', async () => {
    const contact = { SECURITY_CONTACT: 'mailto:security@market.example' }
    const named = await world.startBeside({ environment: { ...environment, ...contact } })
    for (const url of ['/.well-known/security.txt', '/security.txt']) {
      const response = await named.http.inject({ url })
      expect([response.statusCode, response.headers['content-type']]).toEqual([
        200,
        'text/plain; charset=utf-8',
      ])
      expect(response.body).toMatch(/^Contact: mailto:security@market\.example$/m)
      expect(response.body).toMatch(/^Canonical: https:\/\/market\.example\/\.well-known\/security\.txt$/m)
      const expires = Date.parse(/^Expires: (.+)$/m.exec(response.body)?.[1] ?? '')
      expect(expires).toBeGreaterThan(Date.now())
      expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000)
    }
  })

  test('is not there without a contact', async () => {
    expect((await world.http.inject({ url: '/.well-known/security.txt' })).statusCode).toBe(404)
  })
})
