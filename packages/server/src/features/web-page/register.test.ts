import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pagePolicy, securityHeadersOf } from '../../platform/http/security-headers.ts'
import { startWorld, type World } from '../../testing/start-world.ts'

const directory = mkdtempSync(join(tmpdir(), 'web-page-'))
let app: World
beforeAll(async () => {
  mkdirSync(join(directory, 'assets'))
  writeFileSync(join(directory, 'index.html'), '<!doctype html><title>Agent Marketplace</title>')
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
  '/jobs',
  '/jobs/cmabc',
  '/jobs/cmabc/receipt',
  '/spending',
  '/sell',
  '/sell/agents/new',
  '/pricing',
  '/notifications',
  '/admin',
  '/admin/disputes/cmabc',
  '/tx/0xabc',
])('%s is the page, which may run no inline script and is asked for anew each time', async (path) => {
  const response = await get(path)
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(response.body).toContain('Agent Marketplace</title>')
  expect(response.headers['cache-control']).toBe('no-cache')
  expect(response.headers['content-security-policy']).toContain("script-src 'self';")
  // No picture from a stranger's host, which would learn who looks at what.
  expect(response.headers['content-security-policy']).toContain("img-src 'self' data:;")
  expect(response.headers['x-ratelimit-limit']).toBe('100')
})

test('files with a hash in their name are kept for ever; others are checked again', async () => {
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
  ['/docs/start.js', 200, apiPolicy],
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
})

test('where the page was not built, the bare address leads to the reference', async () => {
  const plain = await startWorld()
  try {
    const response = await plain.http.inject({ url: '/' })
    expect([response.statusCode, response.headers.location]).toEqual([302, '/docs'])
    expect((await plain.http.inject({ url: '/jobs', headers: navigation })).statusCode).toBe(404)
  } finally {
    await plain.close()
  }
})
