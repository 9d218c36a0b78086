import { checksumAddress, getAgentRegistration } from '@agent-marketplace/chain'
import { createWalletClient, custom } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { startChaosChain } from '../../../money/testing/chaos-chain.ts'
import { sql } from '../../../platform/db/sql.ts'
import { startAgents, type TestSeller } from '../testing/start-agents.ts'

const chaos = await startChaosChain()
const registry = chaos.addresses.agentRegistry
const operator = chaos.chain.relay.addressOf('operator')
/** While set, the registry refuses every registration. */
let isClosed = false
const api = await startAgents({
  chain: chaos,
  ports: ({ chain }) => ({
    chain: {
      ...chain,
      agentRegistry: {
        ...chain.agentRegistry,
        register: (entry) =>
          isClosed ? { to: registry, data: '0x', value: 0n } : chain.agentRegistry.register(entry),
      },
    },
  }),
})
afterAll(async () => {
  await api.close()
  await chaos.close()
})

test('agents are registered on the chain, approve themselves, and belong to their sellers', async () => {
  const sellers = await Promise.all([api.newSeller(), api.newSeller(), api.newSeller()])
  const made = await Promise.all(
    sellers.map(async (seller) => ({ seller, wallet: (await api.create(seller)).json().data.walletAddress })),
  )
  await api.runUntilIdle()
  for (const { seller, wallet } of made) {
    const url = `/api/agents/${wallet}`
    const { agent } = (await api.send('GET', url)).json().data
    expect(agent).toMatchObject({ approvalStatus: 'APPROVED', listing: { visible: true } })
    const agentId = BigInt(agent.reputation.onChain.agentId)
    expect(await getAgentRegistration(chaos.client, { registry, agentId })).toEqual({
      owner: checksumAddress(seller.walletAddress),
      uri: `https://market.example${url}/registration.json`,
      wallet: undefined,
    })
    const file = (await api.send('GET', `${url}/registration.json`)).json()
    expect(file.registrations).toEqual([
      { agentId: Number(agentId), agentRegistry: `eip155:31337:${registry}` },
    ])
    expect((await api.notificationsOf(seller.ownerId)).map(({ type }) => type)).toEqual([
      'WALLET_PROVISIONED',
      'AGENT_APPROVED',
    ])
  }
})

test('a registration that can never succeed is reported to the owner', async () => {
  const seller = await api.newSeller()
  isClosed = true
  await api.create(seller)
  for (let block = 0; block < 5; block += 1) {
    await api.runUntilIdle()
    await chaos.mine()
  }
  isClosed = false
  expect((await api.notificationsOf(seller.ownerId)).map(({ type }) => type)).toEqual([
    'WALLET_PROVISIONED',
    'SYSTEM_ALERT',
  ])
})

test('a reorganisation that drops the registration ends with the agent registered once more', async () => {
  const seller = await api.newSeller()
  const { walletAddress } = (await api.create(seller)).json().data
  await api.runUntilIdle()
  await chaos.reorganise(2, () => false)
  await api.runUntilIdle()
  await chaos.mine()
  await api.runUntilIdle()
  const { agent } = (await api.send('GET', `/api/agents/${walletAddress}`)).json().data
  const agentId = BigInt(agent.reputation.onChain.agentId)
  const registered = await getAgentRegistration(chaos.client, { registry, agentId })
  expect(registered).toMatchObject({
    owner: checksumAddress(seller.walletAddress),
    uri: `https://market.example/api/agents/${walletAddress}/registration.json`,
  })
})

/** A seller with this wallet, and its agent as the chain has it. */
async function sellerWith(walletAddress: string) {
  const seller = await api.newSeller()
  await api.db.run(sql`update owners set wallet_address = ${walletAddress} where id = ${seller.ownerId}`)
  const agentWallet: string = (await api.create(seller)).json().data.walletAddress
  await api.runUntilIdle()
  return { seller, agentWallet, url: `/api/agents/${agentWallet}/identity` }
}

const identityOf = async (seller: TestSeller, url: string) =>
  (await api.send('GET', url, seller.headers)).json().data

test('after the hand-over the seller sends a prepared call, and the registry names the agent’s wallet', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const { seller, agentWallet, url } = await sellerWith(account.address)
  expect(await identityOf(seller, url)).toMatchObject({
    heldBy: 'SELLER',
    tokenOwner: account.address,
    registeredWallet: null,
    walletState: 'MISSING',
  })
  const prepare = async () => (await api.send('POST', `${url}/wallet`, seller.headers)).json().data
  const late = await prepare()
  await chaos.mine(301)
  const { transaction, validUntil } = await prepare()
  expect(transaction).toMatchObject({ chainId: 31337, from: account.address, to: registry })
  expect(new Date(validUntil).getTime()).toBeGreaterThan(chaos.now() * 1000)

  await chaos.faucet({ address: account.address, amountMicro: 1n, gasWei: 10n ** 18n })
  const wallet = createWalletClient({ account, chain: chaos.client.chain, transport: custom(chaos.client) })
  await expect(
    wallet.sendTransaction({ to: late.transaction.to, data: late.transaction.data }),
  ).rejects.toThrow(/expired/)
  await wallet.sendTransaction({ to: transaction.to, data: transaction.data })

  expect(await identityOf(seller, url)).toMatchObject({ registeredWallet: agentWallet, walletState: 'SET' })
  expect((await prepare()).transaction).toBeNull()
})

test('where the token cannot be handed over, the platform names the wallet by itself', async () => {
  // The token's own contract takes no tokens of others.
  const { seller, agentWallet, url } = await sellerWith(chaos.addresses.usdc)
  expect(await identityOf(seller, url)).toMatchObject({
    heldBy: 'PLATFORM',
    tokenOwner: operator,
    registeredWallet: agentWallet,
    walletState: 'SET',
  })
})

test('another’s agent is forbidden, and one that is not registered has nothing to set', async () => {
  const [seller, other] = await Promise.all([api.newSeller(), api.newSeller()])
  const url = `/api/agents/${(await api.create(seller)).json().data.walletAddress}/identity`
  for (const [method, path] of [
    ['GET', url],
    ['POST', `${url}/wallet`],
  ] as const) {
    expect((await api.send(method, path, other.headers)).statusCode).toBe(403)
    expect((await api.send(method, path)).statusCode).toBe(401)
  }
  expect(await identityOf(seller, url)).toMatchObject({ walletState: 'NOT_REGISTERED', onChainAgentId: null })
  const refused = await api.send('POST', `${url}/wallet`, seller.headers)
  expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'INVALID_STATE'])
})
