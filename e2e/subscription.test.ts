import { addresses, chainOf } from '@agent-marketplace/chain'
import { createMarketplaceClient, type MarketplaceClient, usdc } from '@agent-marketplace/sdk'
import { createPublicClient, http } from 'viem'
import { toCoinbaseSmartAccount } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBalances } from './client.ts'
import { preparedDirectory } from './service/prepared-directory.ts'
import { endServices, freePort, type ServiceProcess, startService } from './service/service-process.ts'

const DAY = 24 * 3600
const directory = preparedDirectory()
let service: ServiceProcess
let seller: MarketplaceClient
let payer: Awaited<ReturnType<typeof toCoinbaseSmartAccount>>
let spentBy: () => Promise<bigint>

beforeAll(async () => {
  service = await startService({
    dataDir: `${directory.path}/data`,
    port: await freePort(),
    environment: { RATE_LIMITS: 'off' },
  })
  const wallet = privateKeyToAccount(generatePrivateKey())
  seller = createMarketplaceClient({ baseUrl: service.url, account: wallet })
  await seller.setSandboxKyc({ status: 'VERIFIED', feePaid: true })

  // A smart account that the seller owns and that lets the manager pull what its permissions allow. It is not deployed yet.
  const client = createPublicClient({ chain: chainOf(31337), transport: http(`${service.url}/rpc`) })
  const owners = [wallet, addresses[31337].spendPermissionManager] as const
  payer = await toCoinbaseSmartAccount({ client, owners: [...owners], version: '1.1' })
  await seller.sandboxFaucet({ address: payer.address, amount: usdc('100') })
  const balancesOf = createBalances(service.url, addresses[31337].usdc)
  spentBy = async () => 100_000_000n - (await balancesOf({ payer: payer.address })).payer
})
afterAll(async () => {
  await endServices()
  directory.remove()
})

const newAgent = (name: string) =>
  seller.createAgent({ name, type: 'testing', bio: 'One of many.', skills: [], services: [] })
const pausedNames = async () =>
  (await seller.getMe()).agents.filter(({ paused }) => paused).map(({ name }) => name)

test('quota is bought, pulled once a period, upgraded, cancelled, and agents follow it', async () => {
  await newAgent('First')
  await expect(newAgent('Second')).rejects.toMatchObject({
    code: 'AGENT_QUOTA_EXCEEDED',
    details: { current: 1, quota: 1 },
  })

  const bought = await seller.subscribe({ plan: 'AGENT_QUOTA', agentQuota: 2 }, { payer })
  expect([bought.status, await spentBy()]).toEqual(['ACTIVE', 2_000_000n])
  await newAgent('Second')
  await expect(newAgent('Third')).rejects.toMatchObject({
    code: 'AGENT_QUOTA_EXCEEDED',
    details: { current: 2, quota: 2 },
  })

  const { currentPeriodEnd } = await seller.getSubscription()
  const periodSeconds = Math.ceil((Date.parse(currentPeriodEnd ?? '') - Date.now()) / 1000)
  await seller.sandboxClock(periodSeconds + 60)
  await expect.poll(spentBy).toBe(4_000_000n)
  await seller.sandboxClock(DAY)
  expect(await spentBy()).toBe(4_000_000n)

  const upgraded = await seller.upgradeSubscription(3, { payer })
  expect(upgraded.agentQuota).toBe(3)
  const afterUpgrade = await spentBy()
  expect(afterUpgrade).toBeGreaterThan(4_000_000n)
  expect(afterUpgrade).toBeLessThanOrEqual(5_000_000n)
  await newAgent('Third')

  expect((await seller.cancelSubscription()).status).toBe('CANCELED')
  expect(await pausedNames()).toEqual([])
  await seller.sandboxClock(31 * DAY)
  await expect.poll(async () => (await pausedNames()).toSorted()).toEqual(['Second', 'Third'])
  expect(await spentBy()).toBe(afterUpgrade)

  await seller.subscribe({ plan: 'AGENT_QUOTA', agentQuota: 2 }, { payer })
  await expect.poll(pausedNames).toEqual(['Third'])
})

test('keys are free, API access gives them ten times the limits, a premium listing marks the agents', async () => {
  const { data } = await seller.call('createApiKey', { body: { name: 'reader', scopes: ['read'] } })
  const headers = { authorization: `Bearer ${data.key}`, 'content-type': 'application/json' }
  const read = async () => {
    const response = await fetch(`${service.url}/api/owners/me`, { headers })
    return [response.status, response.headers.get('x-ratelimit-limit')]
  }
  expect(await read()).toEqual([200, '100'])
  await seller.subscribe({ plan: 'API_ACCESS' }, { payer })
  expect(await read()).toEqual([200, '1000'])
  const write = await fetch(`${service.url}/api/notifications/read-all`, { method: 'POST', headers })
  expect(write.status).toBe(403)

  await seller.subscribe({ plan: 'PREMIUM_LISTING' }, { payer })
  const marked = async () => (await seller.searchAgents({ type: 'testing' }).next()).value?.premium
  await expect.poll(marked).toBe(true)
})
