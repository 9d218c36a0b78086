import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWallet, signIn } from '../../testing/sign-in.ts'
import { startWorld, type World } from '../../testing/start-world.ts'

let app: World
beforeAll(async () => {
  app = await startWorld({ environment: { RATE_LIMITS: 'on' } })
})
afterAll(() => app.close())

const post = (url: string, payload: object) => app.http.inject({ method: 'POST', url, payload })
const rpc = async (method: string, ...params: unknown[]) =>
  (await post('/rpc', { jsonrpc: '2.0', id: 1, method, params })).json()

test('the faucet gives USDC and gas, and says what the address holds', async () => {
  const { address } = newWallet()
  const first = await post('/api/sandbox/faucet', { address: address.toLowerCase(), amount: '250000000' })
  expect(first.statusCode).toBe(200)
  expect(first.json().data).toEqual({
    address,
    amount: '250000000',
    balance: '250000000',
    txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  })
  const again = await post('/api/sandbox/faucet', { address, amount: '1' })
  expect(again.json().data.balance).toBe('250000001')
  expect(BigInt((await rpc('eth_getBalance', address, 'latest')).result)).toBeGreaterThan(0n)
})

test.each([
  { address: '0x1', amount: '1' },
  { amount: '1' },
  { address: newWallet().address, amount: '0' },
  { address: newWallet().address, amount: '1.5' },
])('the faucet refuses %j', async (body) => {
  expect((await post('/api/sandbox/faucet', body)).statusCode).toBe(400)
})

test('moving the clock moves the chain by as much', async () => {
  const before = Number((await rpc('eth_getBlockByNumber', 'latest', false)).result.timestamp)
  const response = await post('/api/sandbox/clock', { advanceSeconds: 604_800 })
  expect(response.statusCode).toBe(200)
  expect(
    Number((await rpc('eth_getBlockByNumber', 'latest', false)).result.timestamp),
  ).toBeGreaterThanOrEqual(before + 604_800)
  const { data } = (await post('/api/sandbox/clock', { advanceSeconds: 1 })).json()
  expect(new Date(data.now).getTime()).toBeGreaterThanOrEqual((before + 604_801) * 1000)
  expect((await post('/api/sandbox/clock', { advanceSeconds: -1 })).statusCode).toBe(400)
})

test('the test wallets sign in, and the administrator among them may look after the marketplace', async () => {
  const { wallets } = (await app.http.inject({ url: '/api/sandbox/wallets' })).json().data
  expect(wallets.map(({ role }: { role: string }) => role)).toEqual([
    'buyer',
    'seller',
    'admin',
    'arbiter',
    'arbiter',
  ])
  const statusOf = async ({ privateKey }: { privateKey: `0x${string}` }) => {
    const { bearer: headers } = await signIn(app.http, privateKeyToAccount(privateKey))
    return (await app.http.inject({ url: '/api/admin/audit-log', headers })).statusCode
  }
  expect(await Promise.all(wallets.slice(0, 3).map(statusOf))).toEqual([403, 403, 200])
})

test('/rpc speaks JSON-RPC, also about what it refuses', async () => {
  expect((await rpc('eth_chainId')).result).toBe('0x7a69')
  expect((await rpc('hardhat_setBalance', newWallet().address, '0x1')).error.code).toBe(-32601)
  const malformed = await app.http.inject({
    method: 'POST',
    url: '/rpc',
    payload: '{',
    headers: { 'content-type': 'application/json' },
  })
  expect(malformed.json().error.code).toBe(-32700)
})

test('GET /api/config has all that a client needs before it signs', async () => {
  const { data } = (await app.http.inject({ url: '/api/config' })).json()
  expect(data).toMatchObject({
    mode: 'sandbox',
    chain: { id: 31337, rpcUrl: 'http://localhost:4000/rpc', explorerUrl: null },
    usdc: { name: 'USDC', version: '2', decimals: 6, address: data.contracts.usdc },
    fees: { escrowBps: 200, x402Bps: 0 },
  })
  for (const address of Object.values(data.contracts)) expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/)
})

test('calls to the chain are limited per address and minute, with rate-limit headers', async () => {
  const ask = () => post('/rpc', { jsonrpc: '2.0', id: 1, method: 'eth_chainId' })
  app.wallClock.advance(61)
  const first = await ask()
  expect([first.statusCode, first.headers['x-ratelimit-limit']]).toEqual([200, '3000'])
  const left = Number(first.headers['x-ratelimit-remaining'])
  for (let sent = 0; sent < left; sent += 500) {
    await Promise.all(Array.from({ length: Math.min(500, left - sent) }, ask))
  }
  const refused = await ask()
  expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
  app.wallClock.advance(61)
  expect((await ask()).statusCode).toBe(200)
})
