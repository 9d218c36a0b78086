import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { CdpClient } from '@coinbase/cdp-sdk'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '../../testing/patience.ts'
import { createCdpWallets } from './cdp.ts'
import type { WalletsPort } from './port.ts'
import { type CdpStub, startCdpStub } from './testing/cdp-stub.ts'

const token = {
  name: 'USDC',
  version: '2',
  chainId: 84_532,
  verifyingContract: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
}
const limits = { perTxLimitMicro: 1_000_000n }

let stub: CdpStub
let wallets: WalletsPort
let count = 0

beforeAll(async () => {
  stub = await startCdpStub()
  wallets = await open({})
})
afterAll(() => stub.close())
afterEach(() => stub.intercept(undefined))

const open = (change: { url?: string; timeoutMs?: number }) =>
  createCdpWallets({ ...stub.credentials, url: stub.url, token, timeoutMs: PATIENCE_MS, ...change })
const newAgentId = () => {
  count += 1
  return `cdp${String(count).padStart(22, '0')}`
}
const spendFrom = (from: string) => ({
  domain: token,
  from,
  to: token.verifyingContract,
  value: 1n,
  validAfter: 0n,
  validBefore: 2n ** 40n,
  nonce: `0x${'00'.repeat(32)}`,
})
const always = (reply: (response: ServerResponse) => unknown) =>
  stub.intercept((_request, response) => {
    reply(response)
    return true
  })

test('an account is born with its policy, and never exists without', async () => {
  const before = stub.requests.length
  const { address } = await wallets.provision({ agentId: newAgentId(), limits })
  const policyId = stub.accounts.get(address.toLowerCase())?.policyId ?? ''
  expect(stub.policies.get(policyId)?.scope).toBe('account')
  expect(stub.requests.slice(before).filter((request) => !request.startsWith('GET'))).toEqual([
    'POST /platform/v2/policy-engine/policies',
    'POST /platform/v2/evm/accounts',
  ])
})

test('a crash between policy and account leaves nothing usable, and the retry makes no second policy', async () => {
  const agentId = newAgentId()
  const [accounts, policies] = [stub.accounts.size, stub.policies.size]
  stub.intercept((request, response) => {
    if (!(request.method === 'POST' && request.url?.endsWith('/evm/accounts'))) return false
    response.writeHead(500).end()
    return true
  })
  await expect(wallets.provision({ agentId, limits })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(stub.accounts.size).toBe(accounts)

  stub.intercept(undefined)
  const { address } = await wallets.provision({ agentId, limits })
  expect(stub.policies.size).toBe(policies + 1)
  expect(await wallets.provision({ agentId, limits })).toEqual({ walletId: address, address })
})

test('an account that lost its policy gets one, and the policy of the project stays as it is', async () => {
  const agentId = newAgentId()
  const { walletId, address } = await wallets.provision({ agentId, limits })
  const account = stub.accounts.get(address.toLowerCase())
  if (account === undefined) throw new Error('no account')
  const rules = stub.policies.get(account.policyId ?? '')?.rules ?? []
  stub.policies.set('project-policy', { id: 'project-policy', scope: 'project', rules: rules.slice(5, 6) })
  account.policyId = 'project-policy'

  await wallets.updateLimits({ walletId, limits })
  expect(account.policyId).not.toBe('project-policy')
  expect(stub.policies.get('project-policy')?.rules).toHaveLength(1)
  await expect(
    wallets.signTransfer({ walletId, authorization: { ...spendFrom(address), value: 1_000_001n } }),
  ).rejects.toMatchObject({ code: 'FORBIDDEN', details: { reason: 'PER_TX_LIMIT' } })
})

test('with the credentials in hand, the account still signs nothing but transfers of the token', async () => {
  const { address } = await wallets.provision({ agentId: newAgentId(), limits })
  const { evm } = new CdpClient({ ...stub.credentials, basePath: stub.url })
  const account = address as `0x${string}`
  const refusal = { errorType: 'policy_violation' }
  await expect(evm.signHash({ address: account, hash: `0x${'ab'.repeat(32)}` })).rejects.toMatchObject(
    refusal,
  )
  await expect(evm.signMessage({ address: account, message: 'a\nb' })).rejects.toMatchObject(refusal)
  const fields = [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ]
  const message = { owner: account, spender: account, value: 1n, nonce: 0n, deadline: 9n }
  const permit = {
    address: account,
    domain: { ...token, verifyingContract: token.verifyingContract as `0x${string}` },
    types: { Permit: fields },
    primaryType: 'Permit',
    message,
  }
  await expect(evm.signTypedData(permit)).rejects.toMatchObject(refusal)
  const elsewhere = { ...permit, domain: { ...permit.domain, verifyingContract: account } }
  await expect(evm.signTypedData(elsewhere)).rejects.toMatchObject(refusal)
})

test('garbage and refusals are UNAVAILABLE', async () => {
  const replies: ((response: ServerResponse) => unknown)[] = [
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"address":7}'),
    (response) => response.writeHead(200).end(),
    (response) => response.writeHead(429).end('{"errorType":"rate_limit_exceeded","errorMessage":"slow"}'),
    (response) => response.writeHead(401).end(),
    (response) => response.destroy(),
  ]
  const { walletId, address } = await wallets.provision({ agentId: newAgentId(), limits })
  for (const reply of replies) {
    always(reply)
    const authorization = spendFrom(address)
    await expect(wallets.provision({ agentId: newAgentId(), limits })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    await expect(wallets.signTransfer({ walletId, authorization })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
  }
})

test('a provider that never responds, or is not there, is UNAVAILABLE in bounded time', async () => {
  always(() => undefined)
  const hasty = await open({ timeoutMs: 50 })
  await expect(hasty.provision({ agentId: newAgentId(), limits })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  })
  const gone = await startCdpStub()
  await gone.close()
  const nowhere = await open({ url: gone.url })
  await expect(nowhere.provision({ agentId: newAgentId(), limits })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  })
  wallets = await open({})
})

test('wrong credentials get nowhere, whichever of them is wrong', async () => {
  const accounts = stub.accounts.size
  const stranger = await startCdpStub()
  const { apiKeySecret, walletSecret } = stranger.credentials
  await stranger.close()
  for (const wrong of [{ apiKeySecret }, { walletSecret }]) {
    const locked = await createCdpWallets({ ...stub.credentials, url: stub.url, token, ...wrong })
    await expect(locked.provision({ agentId: newAgentId(), limits })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
  }
  expect(stub.accounts.size).toBe(accounts)
  wallets = await open({})
})

test('a response that quotes the request does not carry its credentials into the error', async () => {
  const seen: string[] = []
  stub.intercept((request, response) => {
    const { authorization = '', 'x-wallet-auth': walletToken = '' } = request.headers
    seen.push(...[authorization, String(walletToken)].filter((text) => text !== ''))
    const errorMessage = `bad request: ${JSON.stringify(request.headers)}`
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ errorType: `invalid ${authorization}`, errorMessage }))
    return true
  })
  const agentId = newAgentId()
  const attempts = [
    wallets.provision({ agentId, limits }),
    wallets.signTransfer({
      walletId: token.verifyingContract,
      authorization: spendFrom(token.verifyingContract),
    }),
  ]
  const errors = await Promise.all(attempts.map((attempt) => attempt.catch((error: unknown) => error)))
  const shown = errors.map((error) => inspect(error, { depth: 20, showHidden: true })).join('\n')
  expect(shown).toContain('AppError')
  expect(seen.length).toBeGreaterThanOrEqual(3)
  const { apiKeySecret, walletSecret } = stub.credentials
  for (const secret of [...seen, apiKeySecret, walletSecret]) expect(shown).not.toContain(secret)
})

test('the SDK reports nothing to anyone', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  await wallets.provision({ agentId: newAgentId(), limits })
  always((response) => response.destroy())
  await expect(wallets.provision({ agentId: newAgentId(), limits })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  })
  expect(fetched).not.toHaveBeenCalled()
  fetched.mockRestore()
})

test('an agent id that could change the path is refused before anything is sent', async () => {
  const before = stub.requests.length
  await expect(wallets.provision({ agentId: '../../x', limits })).rejects.toThrow(TypeError)
  expect(stub.requests.length).toBe(before)
})
