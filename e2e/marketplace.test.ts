import { createWalletClient, erc20Abi, http } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, signableOf, signIn } from './client.ts'
import { preparedDirectory } from './service/prepared-directory.ts'
import { endServices, freePort, type ServiceProcess, startService } from './service/service-process.ts'
import { type Market, openMarket, succeed } from './web/market/market.ts'

const DAY = 24 * 3600
const directory = preparedDirectory()
let service: ServiceProcess
let market: Market
let buyer: Client
let seller: Client
let agent: Market['agent']

beforeAll(async () => {
  service = await startService({
    dataDir: `${directory.path}/data`,
    port: await freePort(),
    environment: { RATE_LIMITS: 'off' },
  })
  market = await openMarket(service.url)
  ;({ seller, agent } = market)
  buyer = await signIn(service.url, await market.newBuyer(2_000))
})
afterAll(async () => {
  await endServices()
  directory.remove()
})

const changesBy = (story: () => Promise<void>) => market.moneyMovedBy(buyer.wallet.address, story)

async function hire(agreedPrice: string, more: object = {}) {
  const job = {
    agentId: agent.id,
    title: 'Reconcile October',
    description: 'All of it.',
    agreedPrice,
    ...more,
  }
  const { status, body } = await buyer.post('/api/jobs', job)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}

async function hireAndFund(agreedPrice = '150000000', more: object = {}): Promise<string> {
  const { jobId, paymentInfo } = await hire(agreedPrice, more)
  const typedData = signableOf(paymentInfo.typedData)
  const signature = await buyer.wallet.signTypedData(typedData)
  const paid = await buyer.post(`/api/jobs/${jobId}/pay`, { authorization: typedData.message, signature })
  expect([paid.status, paid.body.data?.status], JSON.stringify(paid.body)).toEqual([200, 'IN_PROGRESS'])
  return jobId
}

const act = <Action extends string>(client: Client, jobId: string, action: Action, body?: object) =>
  succeed(client, `/api/jobs/${jobId}/${action}`, body)

const jobOf = async (jobId: string) => (await buyer.get(`/api/jobs/${jobId}`)).body.data
const escrowIs = (jobId: string, state: string) =>
  expect.poll(async () => (await jobOf(jobId)).escrowState).toBe(state)
const passTime = (seconds: number) => buyer.post('/api/sandbox/clock', { advanceSeconds: seconds })

test('a new agent is registered on chain and found', async () => {
  await expect
    .poll(async () => (await buyer.get('/api/agents/search?q=bookkeeping')).body.data.agents.length)
    .toBe(1)
  const { body } = await buyer.get(`/api/agents/${agent.walletAddress.toLowerCase()}`)
  expect(body.data).toMatchObject({
    id: agent.id,
    approvalStatus: 'APPROVED',
    agent: { services: [{ name: 'Receipt check' }, { name: 'Monthly close' }] },
  })
})

describe('below 100 USDC, by x402', () => {
  test('paid straight to the agent with the stock client, delivered, reviewed, withdrawn', async () => {
    let jobId = ''
    const changes = await changesBy(async () => {
      jobId = (await hire('25000000')).jobId
      const paid = await buyer.pay(`/api/jobs/${jobId}/pay`)
      expect([paid.status, paid.body.data.status], JSON.stringify(paid.body)).toEqual([200, 'IN_PROGRESS'])
      expect(paid.txHash).toMatch(/^0x[0-9a-f]{64}$/)
    })
    expect(changes).toEqual({ buyer: -25_000_000n, agent: 25_000_000n, treasury: 0n, escrow: 0n })

    expect((await act(seller, jobId, 'deliver', { content: 'The books are closed.' })).status).toBe(
      'COMPLETED',
    )
    expect((await buyer.post(`/api/jobs/${jobId}/review`, { rating: 5, comment: 'Exact.' })).status).toBe(201)
    expect((await buyer.post(`/api/jobs/${jobId}/review`, { rating: 5 })).status).toBe(409)
    await expect
      .poll(
        async () =>
          (await buyer.get(`/api/agents/${agent.walletAddress}/reputation`)).body.data.averageRating,
      )
      .toBe(5)

    const { body: earned } = await seller.get('/api/owners/earnings')
    expect(earned.data.summary).toMatchObject({
      totalGross: '25000000',
      totalFees: '0',
      totalNet: '25000000',
    })
    const asked = await seller.post('/api/owners/withdrawals', { agentId: agent.id, amount: '10000000' })
    expect(asked.status, JSON.stringify(asked.body)).toBe(201)
    await expect
      .poll(async () => (await seller.get(`/api/owners/withdrawals/${asked.body.data.id}`)).body.data.status)
      .toBe('CONFIRMED')
    expect(await market.balancesOf({ seller: seller.wallet.address })).toEqual({ seller: 10_000_000n })
  })
})

describe('from 100 USDC, through escrow', () => {
  test('approved: the agent gets the net, the treasury 2%', async () => {
    const changes = await changesBy(async () => {
      const jobId = await hireAndFund('150000001')
      expect((await act(seller, jobId, 'deliver', { content: 'Done.' })).status).toBe('UNDER_REVIEW')
      expect((await act(buyer, jobId, 'approve')).status).toBe('COMPLETED')
      await escrowIs(jobId, 'RELEASED')
    })
    expect(changes).toEqual({ buyer: -150_000_001n, agent: 147_000_001n, treasury: 3_000_000n, escrow: 0n })
  })

  test('silence for seven days pays the worker, also after a round of changes', async () => {
    const changes = await changesBy(async () => {
      const jobId = await hireAndFund('100000000')
      await act(seller, jobId, 'deliver', { content: 'First try.' })
      await escrowIs(jobId, 'SUBMITTED')
      expect((await act(buyer, jobId, 'request-changes', { reason: 'One page is missing.' })).status).toBe(
        'IN_PROGRESS',
      )
      await escrowIs(jobId, 'FUNDED')
      await act(seller, jobId, 'deliver', { content: 'Second try.' })
      await escrowIs(jobId, 'SUBMITTED')
      await passTime(7 * DAY + 60)
      await escrowIs(jobId, 'RELEASED')
      expect((await jobOf(jobId)).status).toBe('COMPLETED')
    })
    expect(changes).toEqual({ buyer: -100_000_000n, agent: 98_000_000n, treasury: 2_000_000n, escrow: 0n })
  })

  test('the seller gives it back', async () => {
    const changes = await changesBy(async () => {
      const jobId = await hireAndFund('120000000')
      expect((await act(seller, jobId, 'refund', { reason: 'No time.' })).status).toBe('CANCELLED')
      await escrowIs(jobId, 'REFUNDED')
    })
    expect(changes).toEqual({ buyer: 0n, agent: 0n, treasury: 0n, escrow: 0n })
  })

  test('a missed deadline and its day of grace give the buyer everything back', async () => {
    const changes = await changesBy(async () => {
      const jobId = await hireAndFund('130000000', { deadlineHours: 2 })
      expect((await buyer.post(`/api/jobs/${jobId}/cancel`, {})).status).toBe(409)
      await passTime(2 * 3600 + DAY + 60)
      expect((await act(buyer, jobId, 'cancel', { reason: 'Too late.' })).status).toBe('CANCELLED')
      await escrowIs(jobId, 'EXPIRED')
    })
    expect(changes).toEqual({ buyer: 0n, agent: 0n, treasury: 0n, escrow: 0n })
  })

  test('a dispute that both settle is split as agreed', async () => {
    const changes = await changesBy(async () => {
      const jobId = await hireAndFund('200000000')
      await act(seller, jobId, 'deliver', { content: 'Half of it.' })
      await escrowIs(jobId, 'SUBMITTED')
      expect((await act(buyer, jobId, 'dispute', { reason: 'Half is missing.' })).status).toBe('DISPUTED')
      await escrowIs(jobId, 'DISPUTED')
      await act(seller, jobId, 'dispute/settlement', { sellerBps: 5000 })
      expect((await act(buyer, jobId, 'dispute/settlement/accept')).status).toBe('COMPLETED')
      await escrowIs(jobId, 'SETTLED')
    })
    expect(changes).toEqual({ buyer: -100_000_000n, agent: 98_000_000n, treasury: 2_000_000n, escrow: 0n })
  })

  test('a dispute that nobody decides refunds after 30 days', async () => {
    const changes = await changesBy(async () => {
      const jobId = await hireAndFund('110000000')
      await act(buyer, jobId, 'dispute', { reason: 'Nothing came.' })
      await escrowIs(jobId, 'DISPUTED')
      await passTime(30 * DAY + 60)
      await escrowIs(jobId, 'EXPIRED')
      expect((await jobOf(jobId)).status).toBe('CANCELLED')
    })
    expect(changes).toEqual({ buyer: 0n, agent: 0n, treasury: 0n, escrow: 0n })
  })

  test('what is never paid expires after a day', async () => {
    const { jobId } = await hire('140000000')
    await passTime(DAY + 60)
    expect((await jobOf(jobId)).status).toBe('CANCELLED')
  })
})

test('a payment beside all jobs counts for the agent once it is logged and the chain shows it', async () => {
  const shown = async (): Promise<[number, number]> => {
    const { agent: found } = (await buyer.get(`/api/agents/${agent.walletAddress}`)).body.data
    return [found.reputation.verifiedX402Payments, Number(found.totalEarned)]
  }
  const before = await shown()
  const { body: config } = await buyer.get('/api/config')
  const wallet = createWalletClient({ account: buyer.wallet, transport: http(`${service.url}/rpc`) })
  const address = config.data.usdc.address as `0x${string}`
  const transfer = { address, abi: erc20Abi, functionName: 'transfer' } as const
  const args = [agent.walletAddress as `0x${string}`, 3_000_000n] as const
  const txHash = await wallet.writeContract({ ...transfer, args, chain: null })
  const logged = { agentId: agent.id, txHash, amountMicroUsdc: '3000000' }
  expect((await seller.post('/api/x402/log', logged)).status).toBe(201)
  await expect.poll(shown).toEqual([before[0] + 1, before[1] + 3_000_000])
})
