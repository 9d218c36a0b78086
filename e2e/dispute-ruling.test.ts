import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { deriveRoles } from '@agent-marketplace/chain/devnet'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, type SignableData, signableOf, signIn } from './client.ts'
import { preparedDirectory } from './service/prepared-directory.ts'
import { endServices, freePort, type ServiceProcess, startService } from './service/service-process.ts'
import { type Market, openMarket, succeed } from './web/market/market.ts'

const directory = preparedDirectory()
const adminWallet = privateKeyToAccount(generatePrivateKey())
let service: ServiceProcess
let admin: Client
let buyer: Client
let seller: Client
let market: Market
let agent: Market['agent']
let roles: ReturnType<typeof deriveRoles>

beforeAll(async () => {
  const dataDir = `${directory.path}/data`
  const environment = { RATE_LIMITS: 'off', DEMO: 'off', ADMIN_WALLETS: adminWallet.address }
  service = await startService({ dataDir, port: await freePort(), environment })
  // In the sandbox the keys of the Safe's owners come from the chain's seed, which stays in the data directory.
  const { chainSeed } = JSON.parse(readFileSync(`${dataDir}/secrets.json`, 'utf8'))
  roles = deriveRoles(`0x${chainSeed}`)
  admin = await signIn(service.url, adminWallet)
  market = await openMarket(service.url)
  ;({ seller, agent } = market)
  buyer = await signIn(service.url, await market.newBuyer(2_000))
})
afterAll(async () => {
  await endServices()
  directory.remove()
})

const hire = (agreedPrice: string) =>
  succeed(buyer, '/api/jobs', { agentId: agent.id, title: 'October', description: 'All of it.', agreedPrice })
const jobOf = async (jobId: string) => (await buyer.get(`/api/jobs/${jobId}`)).body.data
const escrowIs = (jobId: string, state: string) =>
  expect.poll(async () => (await jobOf(jobId)).escrowState).toBe(state)

async function pay(jobId: string, typedData: SignableData): Promise<void> {
  const signature = await buyer.wallet.signTypedData(typedData)
  await succeed(buyer, `/api/jobs/${jobId}/pay`, { authorization: typedData.message, signature })
}

/** A job that is paid for, delivered and disputed, on chain too. */
async function dispute(agreedPrice: string): Promise<string> {
  const { jobId, paymentInfo } = await hire(agreedPrice)
  await pay(jobId, signableOf(paymentInfo.typedData))
  await succeed(seller, `/api/jobs/${jobId}/deliver`, { content: 'Half of it.' })
  await escrowIs(jobId, 'SUBMITTED')
  await succeed(buyer, `/api/jobs/${jobId}/dispute`, {
    reason: 'Half is missing.',
    evidence: ['ipfs://bafkreihalf'],
  })
  await escrowIs(jobId, 'DISPUTED')
  return jobId
}

const proposalOf = async (jobId: string) =>
  (await admin.get(`/api/admin/disputes/${jobId}`)).body.data.proposal

/** Two of the Safe's three owners sign what the admin proposed; one alone changes nothing. */
async function rule(jobId: string, sellerBps: number): Promise<void> {
  await succeed(admin, `/api/admin/disputes/${jobId}/ruling`, { sellerBps })
  const { body } = await admin.get(`/api/admin/disputes/${jobId}/ruling`)
  const typedData = signableOf(body.data.typedData)
  const confirm = async (owner: Client['wallet']) =>
    admin.post(`/api/admin/disputes/${jobId}/ruling/confirmations`, {
      signature: await owner.signTypedData(typedData),
    })
  expect((await confirm(admin.wallet)).status).toBe(400)
  expect((await confirm(roles.safeOwner3)).body.data).toMatchObject({
    job: { status: 'DISPUTED' },
    proposal: { confirmations: [roles.safeOwner3.address], threshold: 2, txHash: null },
  })
  expect((await confirm(roles.safeOwner1)).status).toBe(200)
  await expect.poll(async () => (await proposalOf(jobId))?.txHash).toMatch(/^0x[0-9a-f]{64}$/)
}

test.each([
  {
    name: 'a ruling for both splits the money, and only the seller’s part bears the fee',
    sellerBps: 7000,
    status: 'COMPLETED',
    changes: { buyer: -140_000_000n, agent: 137_200_000n, treasury: 2_800_000n, escrow: 0n },
  },
  {
    name: 'a ruling for the buyer gives everything back',
    sellerBps: 0,
    status: 'CANCELLED',
    changes: { buyer: 0n, agent: 0n, treasury: 0n, escrow: 0n },
  },
])('$name', async ({ sellerBps, status, changes }) => {
  let jobId = ''
  const moved = await market.moneyMovedBy(buyer.wallet.address, async () => {
    jobId = await dispute('200000001')
    expect((await admin.get('/api/admin/disputes?status=OPEN')).body.data).toMatchObject({
      total: 1,
      disputes: [{ job: { id: jobId }, dispute: { openedBy: 'CLIENT' }, proposal: null }],
    })
    await rule(jobId, sellerBps)
    await escrowIs(jobId, 'RULED')
    expect((await jobOf(jobId)).status).toBe(status)
    expect((await admin.get('/api/admin/disputes?status=OPEN')).body.data.total).toBe(0)
  })
  expect(moved).toEqual(changes)

  const { body: log } = await admin.get(`/api/admin/audit-log?subjectId=${jobId}`)
  const actions = log.data.entries.map(({ action }) => action)
  expect(actions).toEqual(['ruling.executed', 'ruling.confirmed', 'ruling.confirmed', 'ruling.proposed'])
})

test('nobody but an admin proposes or signs', async () => {
  for (const path of ['/api/admin/disputes', '/api/admin/health', '/api/admin/withdrawals']) {
    expect((await buyer.get(path)).status).toBe(403)
    expect((await admin.get(path)).status).toBe(200)
  }
  expect((await seller.post('/api/admin/disputes/cany/ruling', { sellerBps: 10_000 })).status).toBe(403)
})

test('the console shows what waits: flags, worker and indexer', async () => {
  const { jobId, paymentInfo } = await hire('5000000000')
  expect((await admin.get('/api/admin/aml-flags?status=OPEN')).body.data.total).toBe(0)
  await buyer.post('/api/sandbox/faucet', { address: buyer.wallet.address, amount: '5000000000' })
  await pay(jobId, signableOf(paymentInfo.typedData))
  const { body } = await admin.get('/api/admin/aml-flags?status=OPEN')
  expect(body.data).toMatchObject({ total: 1, flags: [{ job: { id: jobId }, amount: '5000000000' }] })
  await succeed(admin, `/api/admin/aml-flags/${body.data.flags[0]?.id}/resolve`, { reason: 'Known buyer.' })
  expect((await admin.get('/api/admin/aml-flags?status=OPEN')).body.data.total).toBe(0)

  const { worker, indexer } = (await admin.get('/api/admin/health')).body.data
  expect(worker).toEqual({ deadLetters: 0, waitingIntents: 0 })
  expect(indexer).toMatchObject({ haltedReason: null, updatedAt: expect.any(String) })
  expect(indexer.blockNumber).toBeGreaterThan(0)
  expect(indexer.headNumber).toBeGreaterThanOrEqual(Number(indexer.blockNumber))
})

test('owners’ notifications are also sent to their webhooks, signed', async () => {
  const received: { type: string; isSigned: boolean }[] = []
  let key = Buffer.alloc(0)
  const receiver = createServer(async (request, response) => {
    const body = await text(request)
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request.headers
    const expected = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
    received.push({ type: JSON.parse(body).type, isSigned: signature === `v1,${expected}` })
    response.end()
  }).listen(await freePort(), '127.0.0.1')
  await once(receiver, 'listening')
  try {
    const address = receiver.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const { secret } = await succeed(seller, '/api/webhooks', { url: `http://127.0.0.1:${port}/events` })
    key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    await hire('30000000')
    await expect.poll(() => received).toEqual([{ type: 'job.created', isSigned: true }])
  } finally {
    receiver.close()
  }
})
