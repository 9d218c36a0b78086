import { AppError } from '@agent-marketplace/contract'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '../../testing/start-world.ts'
import { createSandboxAdmission } from './admission.ts'

let app: World
beforeAll(async () => {
  app = await startWorld({
    environment: {
      PUBLIC_URL: 'http://market.example:4000',
      ALLOWED_HOSTS: 'Other.example, [fd00::1]',
      CORS_ORIGINS: 'https://friend.example',
      RATE_LIMITS: 'off',
    },
  })
})
afterAll(() => app.close())

const get = (host: string, url = '/api/config') => app.http.inject({ url, headers: { host } })

describe('Host', () => {
  test.each([
    'localhost',
    'localhost:4000',
    'LOCALHOST:5000',
    '127.0.0.1:4000',
    '[::1]:4000',
    'market.example:4000',
    'market.example',
    'other.example:81',
    '[fd00::1]:4000',
  ])('%s is served', async (host) => {
    expect((await get(host)).statusCode).toBe(200)
  })

  test.each([
    'evil.example',
    'evil.example:4000',
    'localhost.evil.example',
    'market.example.evil.example',
    '192.0.2.7:4000',
    'user@localhost.evil.example',
    ':4000',
    'user@localhost',
    'localhost/evil.example',
    'a b',
  ])('%j gets 421 in our envelope, whatever is requested', async (host) => {
    for (const url of ['/api/sandbox/wallets', '/api/config', '/health/live', '/nothing', '/docs']) {
      const response = await get(host, url)
      expect([url, response.statusCode, response.json().error.code]).toEqual([
        url,
        421,
        'MISDIRECTED_REQUEST',
      ])
      expect(response.headers['x-ratelimit-limit']).toBe('100')
      expect(response.headers['x-request-id']).toBe(response.json().error.requestId)
      expect(response.body).not.toContain('privateKey')
    }
  })

  test('a target with a host of its own names that one too', async () => {
    const statusOf = async (target: string, host: string) => {
      const request = { headers: { host }, raw: { url: target }, socket: {} } as FastifyRequest
      try {
        createSandboxAdmission(app.config)(request)
        return 200
      } catch (error) {
        return error instanceof AppError && error.status
      }
    }
    expect(await statusOf('http://localhost:4000/api/config', 'localhost:4000')).toBe(200)
    expect(await statusOf('http://evil.example/api/config', 'localhost:4000')).toBe(421)
    expect(await statusOf('HTTPS://evil.example', 'localhost:4000')).toBe(421)
    expect(await statusOf('http://localhost:4000/api/config', 'evil.example')).toBe(421)
  })

  test('an IP address counts when the connection came in by it', () => {
    const admit = createSandboxAdmission({ ...app.config, allowedHosts: [] })
    const statusOf = (host: string, localAddress: string) => {
      try {
        admit({ headers: { host }, raw: { url: '/' }, socket: { localAddress } } as FastifyRequest)
        return 200
      } catch (error) {
        return error instanceof AppError && error.status
      }
    }
    expect(statusOf('192.0.2.7:4000', '192.0.2.7')).toBe(200)
    expect(statusOf('192.0.2.7:4000', '::ffff:192.0.2.7')).toBe(200)
    expect(statusOf('[fe80:0::0:7]:4000', 'fe80::7%eth0')).toBe(200)
    expect(statusOf('192.0.2.8:4000', '192.0.2.7')).toBe(421)
    expect(statusOf('evil.example', '192.0.2.7')).toBe(421)
  })
})

describe('Origin', () => {
  const calls = [
    ['/api/sandbox/clock', { advanceSeconds: 1 }],
    ['/api/sandbox/faucet', { address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F', amount: '1' }],
    ['/rpc', { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }],
  ] as const
  const post = (url: string, payload: object, origin: string, host = 'localhost:4000') =>
    app.http.inject({ method: 'POST', url, payload, headers: { origin, host } })

  test.each(calls)('%s refuses pages of other sites', async (url, payload) => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost:5173', 'http://127.0.0.1:4000']) {
      const response = await post(url, payload, origin)
      expect([origin, response.statusCode, response.json().error.code]).toEqual([origin, 403, 'FORBIDDEN'])
    }
  })

  test.each(calls)('%s serves its own page and the origins that are allowed', async (url, payload) => {
    for (const origin of ['http://localhost:4000', 'http://market.example:4000', 'https://friend.example'])
      expect([origin, (await post(url, payload, origin)).statusCode]).toEqual([origin, 200])
    expect((await app.http.inject({ method: 'POST', url, payload })).statusCode).toBe(200)
  })

  test('a wallet in the browser reaches the chain, and nothing else', async () => {
    const origin = 'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn'
    const [clock, , rpc] = calls
    expect((await post(rpc[0], rpc[1], origin)).statusCode).toBe(200)
    expect((await post(clock[0], clock[1], origin)).statusCode).toBe(403)
  })

  test('the verification page takes no form of another site', async () => {
    const response = await app.http.inject({
      method: 'POST',
      url: '/sandbox/kyc/some-session',
      payload: 'answer=GREEN',
      headers: { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(response.statusCode).toBe(403)
  })
})
