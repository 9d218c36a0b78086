import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  keccak256,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '../packages/server/src/testing/patience.ts'
import { type Client, signIn } from './client.ts'
import { preparedDirectory } from './service/prepared-directory.ts'
import { endServices, freePort, startService } from './service/service-process.ts'
import { openMarket, succeed, untilListed } from './web/market/market.ts'
import { orderPaidJob, untilStatus } from './web/market/orders.ts'

/** The client that `npm run test:indexer` installs; without it the test is skipped. */
const readerPath = join(import.meta.dirname, 'erc8004-reader/node_modules/agent0-sdk/dist/index.js')
const isInstalled = existsSync(readerPath)
if (!isInstalled)
  process.stderr.write('\n!!! agent0-sdk is not installed: SKIPPED. `npm run test:indexer` installs it.\n')

/** What is used of agent0-sdk 1.7.1. All of it reads the chain by RPC; none of it needs a subgraph. */
interface Reader {
  loadAgent(id: string): Promise<{
    name: string
    description: string
    image: string
    getRegistrationFile(): {
      endpoints: { type: string; value: string }[]
      active: boolean
      x402support: boolean
    }
    getWallet(): Promise<string | undefined>
  }>
  reputationRegistryAddress(): string
  getFeedback(id: string, reviewer: string, index: number): Promise<Record<string, unknown>>
  getReputationSummary(id: string): Promise<{ count: number; averageValue: number }>
}

describe.skipIf(!isInstalled)('agent0-sdk over /rpc', () => {
  let url: string
  const directory = preparedDirectory()
  beforeAll(async () => {
    const dataDir = `${directory.path}/data`
    ;({ url } = await startService({ dataDir, port: await freePort(), environment: { RATE_LIMITS: 'off' } }))
  })
  afterAll(async () => {
    await endServices()
    directory.remove()
  })

  test('reads the wallet, the card, the feedback and the summary of an agent', async () => {
    const market = await openMarket(url)
    await untilListed(market)
    const { seller, agent } = market
    const config = (await seller.get('/api/config')).body.data
    const onChainId = (await seller.get(`/api/agents/${agent.walletAddress}`)).body.data.agent.reputation
      .onChain.agentId
    await setWallet(seller, agent.walletAddress, config.chain.id)
    const review = await reviewedJob(market)

    const { SDK } = await import(pathToFileURL(readerPath).href)
    const { agentRegistry, reputationRegistry } = config.contracts
    const sdk: Reader = new SDK({
      chainId: config.chain.id,
      rpcUrl: `${url}/rpc`,
      registryOverrides: { [config.chain.id]: { IDENTITY: agentRegistry, REPUTATION: reputationRegistry } },
    })
    const id = `${config.chain.id}:${onChainId}`

    const loaded = await sdk.loadAgent(id)
    expect(await loaded.getWallet()).toBe(agent.walletAddress)
    expect([loaded.name, loaded.description]).toEqual([
      'Ledger Lark',
      'Reconciles on-chain payments with your books.',
    ])
    const card = loaded.getRegistrationFile()
    expect(card).toMatchObject({ active: true, x402support: true })
    const endpoints = card.endpoints.filter(({ value }) => value.startsWith('http'))
    expect(endpoints.length).toBeGreaterThan(0)
    for (const address of [loaded.image, ...endpoints.map(({ value }) => value)])
      expect([address, (await fetch(address)).status]).toEqual([address, 200])

    sdk.reputationRegistryAddress()
    const file = (await (
      await fetch(`${url}/api/agents/${agent.walletAddress}/registration.json`)
    ).json()) as {
      reviewers: string[]
    }
    const reviewer = file.reviewers[0]?.split(':').at(-1) ?? ''
    expect(await sdk.getReputationSummary(id)).toEqual({ count: 1, averageValue: 100 })
    const feedback = await sdk.getFeedback(id, reviewer, 1)
    expect(feedback).toMatchObject({ value: 100, isRevoked: false, tags: ['starred', 'general'] })
    const document = await fetch(String(feedback.fileURI))
    const bytes = new Uint8Array(await document.arrayBuffer())
    expect(String(feedback.fileURI).endsWith(keccak256(bytes))).toBe(true)
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({
      jobId: review.jobId,
      proofOfPayment: { fromAddress: review.payer, toAddress: agent.walletAddress },
    })
  })

  /** The seller's own wallet sends what the service prepared. */
  async function setWallet({ wallet, get, post }: Client, agentWallet: string, chainId: number) {
    const path = `/api/agents/${agentWallet}/identity` as const
    await vi.waitUntil(async () => (await get(path)).body.data.heldBy === 'SELLER', {
      timeout: PATIENCE_MS,
      interval: 100,
    })
    await succeed({ post }, '/api/sandbox/faucet', { address: wallet.address, amount: '1' })
    const { transaction } = (await post(`${path}/wallet`)).body.data
    if (!transaction) throw new Error('There is nothing to send.')
    const chain = defineChain({
      id: chainId,
      name: 'Sandbox',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [`${url}/rpc`] } },
    })
    const hash = await createWalletClient({ account: wallet, chain, transport: http() }).sendTransaction({
      to: transaction.to as Address,
      data: transaction.data as Hex,
    })
    await createPublicClient({ chain, transport: http() }).waitForTransactionReceipt({ hash })
    expect((await get(path)).body.data).toMatchObject({
      walletState: 'SET',
      registeredWallet: agentWallet,
    })
  }

  /** A job through escrow with a review of five stars that is on chain. */
  async function reviewedJob(market: Awaited<ReturnType<typeof openMarket>>) {
    const buyer = await signIn(url, await market.newBuyer())
    const jobId = await orderPaidJob(market, buyer, 'Monthly close', '150000000')
    await succeed(market.seller, `/api/jobs/${jobId}/deliver`, { content: 'Done.' })
    await succeed(buyer, `/api/jobs/${jobId}/approve`)
    await untilStatus(buyer, jobId, 'COMPLETED')
    await succeed(buyer, `/api/jobs/${jobId}/review`, { rating: 5 })
    const isOnChain = async () => (await buyer.get(`/api/jobs/${jobId}`)).body.data.job.review?.txHash
    await vi.waitUntil(isOnChain, { timeout: PATIENCE_MS, interval: 100 })
    return { jobId, payer: buyer.wallet.address }
  }
})
