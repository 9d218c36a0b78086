import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { escrowAbi } from '../abis.ts'
import { simulateCall } from '../actions/transactions/simulateCall.ts'
import { createChainClient } from '../createChainClient.ts'
import { callTo } from '../preparedCall.ts'
import { startTestDevnet, type TestDevnet, testAccount } from '../testing/startTestDevnet.ts'

let running: TestDevnet
let server: Server
beforeAll(async () => {
  running = await startTestDevnet()
  server = createServer(async (request, response) => {
    const reply = await running.devnet.handleRpc(await text(request))
    response.writeHead(reply === undefined ? 204 : 200, { 'content-type': 'application/json' }).end(reply)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  server.close()
  await running.stop()
})

const ask = async (body: unknown): Promise<unknown> => {
  const reply = await running.devnet.handleRpc(typeof body === 'string' ? body : JSON.stringify(body))
  return reply === undefined ? undefined : JSON.parse(reply)
}
const request = (method: string, params: unknown[] = [], id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

test('handles a single request', async () => {
  expect(await ask(request('eth_chainId'))).toEqual({ jsonrpc: '2.0', id: 1, result: '0x7a69' })
  expect(await ask(request('net_version', [], 'x'))).toEqual({ jsonrpc: '2.0', id: 'x', result: '31337' })
  expect(await ask(request('eth_getTransactionReceipt', [`0x${'00'.repeat(32)}`]))).toMatchObject({
    result: null,
  })
})

test('handles a batch in order, and returns nothing for notifications', async () => {
  const batch = [
    request('eth_chainId', [], 1),
    { jsonrpc: '2.0', method: 'eth_chainId' },
    request('evm_mine', [], 2),
    7,
  ]
  expect(await ask(batch)).toEqual([
    { jsonrpc: '2.0', id: 1, result: '0x7a69' },
    { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'the method evm_mine is not available' } },
    { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'not a JSON-RPC 2.0 request' } },
  ])
  expect(await ask([{ jsonrpc: '2.0', method: 'eth_chainId' }])).toBeUndefined()
  expect(await ask({ jsonrpc: '2.0', method: 'eth_chainId' })).toBeUndefined()
})

describe('refuses', () => {
  test.each([
    'hardhat_setBalance',
    'hardhat_setCode',
    'hardhat_impersonateAccount',
    'hardhat_reset',
    'evm_mine',
    'evm_increaseTime',
    'evm_revert',
    'debug_traceTransaction',
    'eth_sendTransaction',
    'eth_sign',
    'eth_signTypedData_v4',
    'personal_sign',
    'eth_accounts',
    'eth_requestAccounts',
    'eth_subscribe',
    'toString',
    '__proto__',
    '',
  ])('the method %j', async (method) => {
    expect(await ask(request(method, [running.devnet.roles.faucet.address, '0x0']))).toMatchObject({
      error: { code: -32601 },
    })
  })

  test('what is no JSON-RPC', async () => {
    expect(await ask('{')).toMatchObject({ id: null, error: { code: -32700 } })
    expect(await ask([])).toMatchObject({ id: null, error: { code: -32600 } })
    expect(await ask('null')).toMatchObject({ id: null, error: { code: -32600 } })
    expect(await ask({ id: 1, method: 'eth_chainId' })).toMatchObject({ error: { code: -32600 } })
    expect(await ask({ jsonrpc: '2.0', id: {}, method: 'eth_chainId' })).toMatchObject({
      error: { code: -32600 },
    })
    expect(await ask({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: {} })).toMatchObject({
      error: { code: -32600 },
    })
  })

  test('bodies and batches beyond the limits', async () => {
    expect(await ask(Array.from({ length: 101 }, () => request('eth_chainId')))).toMatchObject({
      error: { code: -32600 },
    })
    expect(await ask(JSON.stringify(request('web3_sha3', [`0x${'00'.repeat(600_000)}`])))).toMatchObject({
      error: { code: -32600 },
    })
  })

  test('bad parameters, with the machine’s own words', async () => {
    expect(await ask(request('eth_getBalance', ['0x12']))).toMatchObject({ error: { code: -32602 } })
    expect(await ask(request('eth_sendRawTransaction', [7]))).toMatchObject({ error: { code: -32602 } })
  })
})

test('a revert carries its bytes where libraries look for them', async () => {
  const { escrow } = running.devnet.addresses
  const key = `0x${'11'.repeat(32)}` as const
  const data = encodeFunctionData({ abi: escrowAbi, functionName: 'release', args: [key] })
  const reply = await ask(request('eth_call', [{ to: escrow, data }, 'latest']))
  expect(reply).toMatchObject({ error: { data: expect.stringMatching(/^0x[0-9a-f]{8,}$/) } })

  const { port } = server.address() as AddressInfo
  const overHttp = createChainClient({ chainId: 31337, rpcUrl: `http://127.0.0.1:${port}` })
  for (const client of [overHttp, running.client]) {
    expect(
      await simulateCall(client, { from: testAccount(1).address, call: callTo(escrow, data) }),
    ).toMatchObject({
      status: 'refused',
      reason: 'WrongState',
      args: [key, 0, expect.any(Number)],
    })
  }
})

test('the calls of a body share one allowance of gas', async () => {
  // A creation whose code is the gas that it was left with: GAS, MSTORE, RETURN.
  const call = { data: '0x5a60005260206000f3' }
  const gasOf = async (params: object, count: number) => {
    const batch = Array.from({ length: count }, (_, id) => request('eth_call', [params, 'latest'], id))
    const replies = (await ask(batch)) as { result: string }[]
    return Math.max(...replies.map(({ result }) => Number(result)))
  }
  expect(await gasOf(call, 1)).toBeLessThan(8_000_000)
  expect(await gasOf(call, 1)).toBeGreaterThan(7_000_000)
  expect(await gasOf(call, 100)).toBeLessThan(160_000)
  expect(await gasOf({ ...call, gas: '0x7a1200' }, 100)).toBeLessThan(160_000)
  expect(await gasOf({ ...call, gas: '0x15f90' }, 2)).toBeLessThan(90_000)
})
