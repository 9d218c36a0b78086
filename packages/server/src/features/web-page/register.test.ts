import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { pagePolicy, securityHeadersOf } from '../../platform/http/browsers/security-headers.ts'
import { startWorld, type World } from '../../testing/start-world.ts'

const directory = mkdtempSync(join(tmpdir(), 'web-page-'))
let app: World
beforeAll(async () => {
  mkdirSync(join(directory, 'assets'))
  writeFileSync(
    join(directory, 'index.html'),
    `<!doctype html><html lang="en"><title>Agent Marketplace</title>
    <link rel="modulepreload" href="/assets/BrowsePage-Abc123.js" data-first-page="">`,
  )
  writeFileSync(join(directory, 'theme.js'), 'let theme')
  writeFileSync(join(directory, '.built-from'), 'a hash')
  writeFileSync(join(directory, 'assets', 'main-Abc123.js'), 'let main')
  app = await startWorld({ ports: () => ({ webDirectory: directory }) })
})
afterAll(async () => {
  await app.close()
  rmSync(directory, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.http.inject({ url, headers })
const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test.each([
  '/',
  '/agents/0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  '/agents/0x71C7656EC7ab88b098defB751B7401B5f6d8976F/hire',
  '/sellers/0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  '/compare?agents=0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  '/saved',
  '/jobs',
  '/jobs/cmabc',
  '/jobs/cmabc/receipt',
  '/spending',
  '/sell',
  '/sell/agents/new',
  '/developers',
  '/developers/keys',
  '/pricing',
  '/notifications',
  '/admin',
  '/admin/disputes/cmabc',
  '/tx/0xabc',
])('%s is the page, which may run no inline script and is requested again each time', async (path) => {
  const response = await get(path)
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(response.body).toContain('Agent Marketplace</title>')
  expect(response.headers['cache-control']).toBe('no-cache')
  expect(response.headers['content-security-policy']).toContain("script-src 'self';")
  // No picture from a stranger's host, which would learn who looks at what.
  expect(response.headers['content-security-policy']).toContain("img-src 'self' data:;")
  expect(response.headers['x-ratelimit-limit']).toBe('100')
})

test('the page says at once that this is a sandbox, and the first page alone loads its code ahead', async () => {
  const [first, other, agent] = await Promise.all([
    get('/'),
    get('/pricing'),
    get('/agents/0x71C7656EC7ab88b098defB751B7401B5f6d8976F', navigation),
  ])
  for (const { body } of [first, other, agent]) expect(body).toContain('<html lang="en" data-mode="sandbox">')
  expect(first.body).toContain('BrowsePage-Abc123.js')
  for (const { body } of [other, agent]) expect(body).not.toContain('BrowsePage')
})

test('files with a hash in their name are kept forever; others are checked again', async () => {
  const asset = await get('/assets/main-Abc123.js', { 'accept-encoding': 'gzip' })
  expect(gunzipSync(asset.rawPayload).toString()).toBe('let main')
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const theme = await get('/theme.js')
  expect([theme.body, theme.headers['cache-control']]).toEqual(['let theme', 'no-cache'])
  const again = await get('/theme.js', { 'if-none-match': String(theme.headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

const apiPolicy = securityHeadersOf({ https: false })['content-security-policy']
test.each([
  ['/', 200, pagePolicy()],
  ['/agents/0x71C7656EC7ab88b098defB751B7401B5f6d8976F', 200, pagePolicy()],
  ['/nothing/here', 404, pagePolicy()],
  ['/docs', 200, pagePolicy()],
  ['/docs/errors', 200, pagePolicy()],
  ['/theme.js', 200, apiPolicy],
  ['/assets/main-Abc123.js', 200, apiPolicy],
  ['/docs/reference/createJob', 200, pagePolicy()],
  ['/docs/first-hire.md', 200, apiPolicy],
  ['/openapi.json', 200, apiPolicy],
  ['/llms.txt', 200, apiPolicy],
  ['/health/live', 200, apiPolicy],
  ['/metrics', 200, apiPolicy],
  ['/api/config', 200, apiPolicy],
])('%s (%i) carries every security header', async (path, status, policy) => {
  const { statusCode, headers } = await get(path, { accept: `${navigation.accept},application/json` })
  expect(statusCode).toBe(status)
  expect(headers).toMatchObject({
    ...securityHeadersOf({ https: false }),
    'content-security-policy': policy,
  })
  if (headers.etag === undefined) return
  const again = await get(path, { accept: navigation.accept, 'if-none-match': String(headers.etag) })
  expect([again.statusCode, again.headers['content-security-policy']]).toEqual([304, policy])
})

test('a broken link shows the page in a browser and the error envelope to a program', async () => {
  const page = await get('/nothing/here', navigation)
  expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  const envelope = await get('/nothing/here')
  expect([envelope.statusCode, envelope.json().error.code]).toEqual([404, 'NOT_FOUND'])
  expect(envelope.headers['x-ratelimit-limit']).toBe('100')
  const unknownCall = await get('/api/nothing', navigation)
  expect([unknownCall.statusCode, unknownCall.json().error.code]).toEqual([404, 'NOT_FOUND'])
  expect((await get('/.built-from')).statusCode).toBe(404)
  expect((await get('/assets/gone.js')).statusCode).toBe(404)
  expect((await get('/docs/reference/gone.md')).statusCode).toBe(404)
  expect((await get('/docs/reference/gone')).json().error.code).toBe('NOT_FOUND')
  expect((await get('/docs/reference/gone', navigation)).headers['content-type']).toBe(
    'text/html; charset=utf-8',
  )
})

test('where the page was not built, the bare address leads to the documentation in Markdown', async () => {
  const plain = await startWorld()
  try {
    const response = await plain.http.inject({ url: '/' })
    expect([response.statusCode, response.headers.location]).toEqual([302, '/docs'])
    const docs = await plain.http.inject({ url: '/docs', headers: navigation })
    expect([docs.statusCode, docs.headers.location]).toEqual([302, '/docs.md'])
    expect((await plain.http.inject({ url: '/jobs', headers: navigation })).statusCode).toBe(404)
  } finally {
    await plain.close()
  }
})

describe('for reading machines', () => {
  const hostile = '</script><script>alert(1)</script> "Lark" & <!-- $&'
  let wallet: string
  beforeAll(async () => {
    const services = [{ id: 'cscoring00000000000000001', priceMicro: '250000', deliveryHours: 1 }]
    wallet = (await app.newAgent(await app.newOwner(), { name: hostile, services })).wallet
  })
  const dataOf = (html: string) =>
    JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null')

  test('an agent’s page names it as text and as data, whatever it is called', async () => {
    const { body, headers } = await get(`/agents/${wallet.toLowerCase()}`)
    expect(headers.vary).toBe('Accept, Accept-Encoding')
    expect(body).toContain('<meta property="og:description" content="From 0.25 USDC. ')
    expect(body).toContain('<meta property="product:price:amount" content="0.25" />')
    expect(body).not.toContain('<script>alert')
    expect(body.match(/<script/g)).toHaveLength(1)
    expect(body).toContain(`<link rel="canonical" href="http://localhost:4000/agents/${wallet}" />`)
    expect(body).toContain(`<link rel="alternate" type="text/markdown" href="/agents/${wallet}.md" />`)
    expect(body).toContain('<meta property="og:title" content="&lt;/script&gt;')
    expect(body).toContain(
      `<meta property="og:image" content="http://localhost:4000/agents/${wallet}/card.png" />`,
    )
    expect(body).toContain('<meta property="og:image:width" content="1200" />')
    expect(body).toContain('<meta property="og:image:height" content="630" />')
    expect(body).toMatch(/<meta property="og:image:alt" content="&lt;\/script&gt;.*From: 0\.25 USDC\./)
    expect(body).toContain('<meta name="twitter:card" content="summary_large_image" />')
    expect((await get('/')).body).toContain('<meta name="twitter:card" content="summary" />')
    const data = dataOf(body)
    expect(data).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: hostile,
      offers: [{ '@type': 'Offer', price: '0.25', priceCurrency: 'USDC' }],
    })
    expect(data).not.toHaveProperty('aggregateRating')
  })

  test('it has a rating once reviews count, and no data while it is not listed', async () => {
    const owner = await app.newOwner()
    const rated = await app.newAgent(owner)
    await app.db.run(sql`update agents set review_count = 3, rating_sum = 14 where id = ${rated.id}`)
    expect(dataOf((await get(`/agents/${rated.wallet}`)).body).aggregateRating).toEqual({
      '@type': 'AggregateRating',
      ratingValue: 4.67,
      reviewCount: 3,
      bestRating: 5,
      worstRating: 1,
    })
    const pending = await app.newAgent(owner, { approval: 'PENDING' })
    const unlisted = await get(`/agents/${pending.wallet}`)
    expect(dataOf(unlisted.body)).toBeNull()
    expect(unlisted.body).not.toContain('og:image')
  })

  test('a seller’s page has the verified name and the figures, and a comparison its own words', async () => {
    const owner = await app.newOwner({ kycStatus: 'VERIFIED' })
    const sold = await app.newAgent(owner)
    await app.db.run(sql`
      update owners set entity_type = 'LLC', entity_name = 'Swan & Sons' where id = ${owner.ownerId}`)
    await app.db.run(sql`update agents set on_chain_agent_id = 4711 where id = ${sold.id}`)
    const path = `/sellers/${owner.wallet.address}`
    const { body } = await get(path.toLowerCase(), navigation)
    expect(body).toContain(
      '<meta property="og:title" content="Seller Swan &amp; Sons · Agent Marketplace" />',
    )
    expect(body).toContain('<meta name="description" content="1 AI agent to hire, 0 completed jobs." />')
    expect(body).toContain(`<link rel="canonical" href="http://localhost:4000${path}" />`)
    const unknown = await get('/sellers/0x71C7656EC7ab88b098defB751B7401B5f6d8976F', navigation)
    expect(unknown.body).not.toContain('og:title')
    expect((await get('/compare?agents=0x1', navigation)).body).toContain(
      '<meta property="og:title" content="Compare agents · Agent Marketplace" />',
    )
  })

  test('the same in Markdown, by name and by Accept', async () => {
    const twin = await get(`/agents/${wallet}.md`)
    expect([twin.statusCode, twin.headers['content-type'], twin.headers['cache-control']]).toEqual([
      200,
      'text/markdown; charset=utf-8',
      'no-cache',
    ])
    expect(twin.body.split('\n')[0]).toBe(
      '# \\</script\\>\\<script\\>alert(1)\\</script\\> "Lark" & \\<!-- $&',
    )
    expect(twin.body).toContain('0.25 USDC, delivered within 1 hour.')
    expect(twin.body).toContain(`POST http://localhost:4000/api/agents/${wallet}/services/`)
    const again = await get(`/agents/${wallet}.md`, { 'if-none-match': String(twin.headers.etag) })
    expect(again.statusCode).toBe(304)
    const asked = await get(`/agents/${wallet}`, { accept: 'text/markdown' })
    expect([asked.statusCode, asked.headers.location, asked.headers.vary]).toEqual([
      302,
      `/agents/${wallet}.md`,
      'Accept',
    ])
    const pending = await app.newAgent(await app.newOwner(), { approval: 'PENDING' })
    expect((await get(`/agents/${pending.wallet}.md`)).body).not.toContain('cannot be hired')
    await app.db.run(sql`update agents set paused_by = 'OWNER' where id = ${pending.id}`)
    expect((await get(`/agents/${pending.wallet}.md`)).body).toContain('cannot be hired')
    for (const path of [
      '/agents/0x71C7656EC7ab88b098defB751B7401B5f6d8976F.md',
      '/agents/x.md',
      '/agents/.md',
    ])
      expect([path, (await get(path)).json().error.code]).toEqual([path, 'NOT_FOUND'])
  })

  test('the documentation has its words in the head, and leads to its Markdown by Accept', async () => {
    for (const [path, title] of [
      ['/docs', 'Documentation'],
      ['/docs/first-hire', 'Hire your first agent'],
      ['/docs/errors', 'Errors'],
      ['/docs/reference/createJob', 'Hire an agent'],
    ] as const) {
      const { body } = await get(path, navigation)
      expect(body).toContain(`<title>${title} · Agent Marketplace</title>`)
      expect(body).toContain(`<link rel="alternate" type="text/markdown" href="${path}.md" />`)
      const asked = await get(path, { accept: 'text/markdown' })
      expect([asked.statusCode, asked.headers.location]).toEqual([302, `${path}.md`])
      const twin = await get(`${path}.md`)
      expect([twin.statusCode, twin.headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8'])
    }
    expect((await get('/docs/reference/createJob.md')).body).toContain('~~~~sh\ncurl -sS --fail-with-body ')
    expect((await get('/docs/nothing', navigation)).statusCode).toBe(404)
  })

  test('robots.txt leads to a sitemap of the pages and the listed agents', async () => {
    const robots = await get('/robots.txt')
    expect(robots.body).toContain('\nSitemap: http://localhost:4000/sitemap.xml\n')
    const hidden = await app.newAgent(await app.newOwner(), { approval: 'PENDING' })
    app.wallClock.advance(1)
    const { body, headers } = await get('/sitemap.xml')
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    const urls = [...body.matchAll(/<url><loc>([^<>&]+)<\/loc><\/url>\n/g)].map(([, url]) => url)
    expect(body).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n` +
        `${urls.map((url) => `<url><loc>${url}</loc></url>\n`).join('')}</urlset>\n`,
    )
    expect(urls).toContain('http://localhost:4000/pricing')
    expect(urls).toContain('http://localhost:4000/docs/first-hire')
    expect(urls).toContain(`http://localhost:4000/agents/${wallet}`)
    expect(urls).not.toContain(`http://localhost:4000/agents/${hidden.wallet}`)
    const part = wallet.slice(2, 4).toLowerCase()
    expect((await get(`/sitemaps/agents-${part}.xml`)).body).toContain(`/agents/${wallet}<`)
    const other = part === '00' ? '01' : '00'
    expect((await get(`/sitemaps/agents-${other}.xml`)).body).not.toContain(`/agents/${wallet}<`)
    for (const name of ['agents-zz.xml', 'agents-000.xml', 'x'])
      expect((await get(`/sitemaps/${name}`)).statusCode).toBe(404)
  })
})
