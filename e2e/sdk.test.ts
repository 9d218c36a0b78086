import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMarketplaceClient, type MarketplaceClient, usdc } from '../packages/sdk/src/index.ts'
import { collect } from '../packages/sdk/src/testing/collect.ts'
import { createBalances } from './client.ts'
import { preparedDirectory } from './service/prepared-directory.ts'
import { endServices, freePort, type ServiceProcess, startService } from './service/service-process.ts'

const directory = preparedDirectory()
const children = new Set<ChildProcess>()
let service: ServiceProcess
let buyer: MarketplaceClient
let seller: MarketplaceClient
let agent: Awaited<ReturnType<MarketplaceClient['createAgent']>>
let balancesOf: ReturnType<typeof createBalances>

const buyerAccount = privateKeyToAccount(generatePrivateKey())
const sellerAccount = privateKeyToAccount(generatePrivateKey())

beforeAll(async () => {
  service = await startService({
    dataDir: `${directory.path}/data`,
    port: await freePort(),
    environment: { RATE_LIMITS: 'off' },
  })
  buyer = createMarketplaceClient({ baseUrl: service.url, account: buyerAccount })
  seller = createMarketplaceClient({ baseUrl: `${service.url}/`, account: sellerAccount })
  const { usdc: token } = await buyer.getConfig()
  balancesOf = createBalances(service.url, token.address as `0x${string}`)
  await buyer.sandboxFaucet({ amount: usdc('2000') })
})
afterAll(async () => {
  await Promise.all([...children].map(end))
  await endServices()
  directory.remove()
})

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

/** Starts an example as a reader would. */
function runExample(name: string) {
  const path = join(import.meta.dirname, '../examples', name)
  const program = name.endsWith('.sh') ? 'sh' : process.execPath
  const child = spawn(program, [path, service.url], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  children.add(child)
  child.once('exit', () => children.delete(child))
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  return { lines, exited }
}

const first = async <Item>(items: AsyncGenerator<Item, void>): Promise<Item | undefined> => {
  for await (const item of items) return item
  return undefined
}

test('the two examples trade with each other on both rails', async () => {
  const shop = runExample('seller-agent.ts')
  const found = () => first(buyer.searchAgents({ skills: 'proofreading' }))
  await expect.poll(found).toBeDefined()
  const shopper = runExample('buyer-agent.ts')
  const [code] = await shopper.exited
  expect(shopper.lines.map((line) => line.replace(/0x[0-9a-f]{64}/, '0x…'))).toEqual([
    'Echo delivered by X402: Proofread: All is well.',
    '  0x… 12.50 USDC went to the agent’s wallet.',
    'Echo delivered by ESCROW: Proofread: All is well.',
    '  0x… The escrow holds 150.00 USDC.',
    '  0x… The delivery is recorded on chain.',
    '  0x… Paid out (100% to the seller): 147.00 USDC to the agent, 3.00 USDC fee.',
  ])
  expect(code).toBe(0)
  expect(shop.lines.slice(1)).toEqual([
    'delivered "Proofread this", which is COMPLETED now',
    'delivered "Proofread this", which is UNDER_REVIEW now',
  ])
  const echo = await found()
  const reviews = await collect(buyer.listAgentReviews(echo?.walletAddress ?? ''))
  expect(reviews.map(({ rating }) => rating)).toEqual([5, 5])
})

test('a whole hire with curl alone ends in a transaction', async () => {
  const hire = runExample('first-hire.sh')
  expect((await hire.exited)[0]).toBe(0)
  expect(hire.lines).toEqual([
    expect.stringMatching(/^Echo is hired.* The escrow holds 150\.00 USDC\. 0x[0-9a-f]{64}$/),
  ])
})

describe('a seller', () => {
  test('registers, pays the fee, and sets up an agent', async () => {
    const { owner, kycUrl } = await seller.registerOwner({
      entityType: 'COMPANY',
      entityName: 'Larks Ltd',
      country: 'GB',
      email: 'larks@example.com',
    })
    expect([owner.kycStatus, kycUrl.startsWith('http')]).toEqual(['IN_REVIEW', true])
    await seller.setSandboxKyc({ status: 'VERIFIED' })
    await seller.sandboxFaucet({ amount: usdc('5') })
    const { owner: paid, payment } = await seller.payKycFee()
    expect([paid.kycFeePaid, payment.status]).toEqual([true, 'SETTLED'])
    expect(await balancesOf({ seller: sellerAccount.address })).toEqual({ seller: 0n })
    expect((await seller.payKycFee()).owner.kycFeePaid).toBe(true)

    agent = await seller.createAgent({
      name: 'Ledger Lark',
      description: 'Reconciles.',
      category: 'finance',
      hourlyRateUsdc: usdc('25'),
    })
    expect(agent).toMatchObject({ name: 'Ledger Lark', hourlyRateUsdc: '25000000' })
    expect(agent.providerWalletId).not.toBe('')
    const error = await seller.createAgent({ name: 'Two', type: 'x', bio: 'y' }).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'AGENT_QUOTA_EXCEEDED', details: { current: 1, quota: 1 } })
    expect(error.requestId).toMatch(/^req_[0-9a-z]{16}$/)

    expect((await seller.updateAgent(agent.walletAddress, { skills: ['ledgers'] })).skills).toEqual([
      'ledgers',
    ])
    expect((await seller.pauseAgent(agent.walletAddress)).paused).toBe(true)
    expect((await seller.resumeAgent(agent.walletAddress)).paused).toBe(false)
    await expect
      .poll(async () => (await collect(buyer.listAgents({ limit: 1 }))).map(({ name }) => name))
      .toEqual(['Ledger Lark', 'Echo'])
    expect((await buyer.getAgent(agent.walletAddress)).guardrails).toBeUndefined()
    expect((await seller.getMe()).agents.map(({ id }) => id)).toEqual([agent.id])
  })
})

describe('jobs', () => {
  const order = (agreedPrice: string) => ({
    agentId: agent.id,
    title: 'Reconcile October',
    description: 'All of it.',
    agreedPrice,
  })

  test('x402: hired once with one key, delivered by CID, reviewed, replied to, withdrawn', async () => {
    const before = await balancesOf({ agent: agent.walletAddress })
    const idempotencyKey = 'october'
    const hired = await buyer.hire(order(usdc('10')), { idempotencyKey })
    expect([hired.status, hired.paymentMethod]).toEqual(['IN_PROGRESS', 'X402'])
    expect((await buyer.hire(order(usdc('10')), { idempotencyKey })).id).toBe(hired.id)
    expect((await buyer.payJob(hired.id)).id).toBe(hired.id)
    const { agent: balance } = await balancesOf({ agent: agent.walletAddress })
    expect(balance - before.agent).toBe(10_000_000n)

    const bytes = Uint8Array.from([0, 255, 1, 2])
    const { cid } = await seller.uploadFile(bytes)
    const delivered = await seller.deliverJob(hired.id, { deliveryCid: cid })
    expect([delivered.status, delivered.deliveryCid]).toEqual(['COMPLETED', cid])
    expect(await buyer.downloadFile(cid)).toEqual(bytes)
    await buyer.reviewJob(hired.id, { rating: 4 })
    expect((await seller.replyToReview(hired.id, { comment: 'Thank you.' })).reply).toBe('Thank you.')
    expect((await buyer.getAgentReputation(agent.walletAddress)).averageRating).toBe(4)

    const { summary } = await seller.getEarnings({ source: 'X402' })
    expect(summary.totalNet).toBe('10000000')
    expect((await first(seller.listEarnings()))?.jobId).toBe(hired.id)
    expect(await seller.exportEarnings()).toContain(hired.id)
    expect((await seller.getEarningsSeries()).points.at(-1)?.x402Net).toBe('10000000')
    const withdrawal = await seller.createWithdrawal({ agentId: agent.id, amount: usdc('3') })
    await expect.poll(async () => (await seller.getWithdrawal(withdrawal.id)).status).toBe('CONFIRMED')
    expect((await first(seller.listWithdrawals()))?.id).toBe(withdrawal.id)
    expect(await balancesOf({ seller: sellerAccount.address })).toEqual({ seller: 3_000_000n })
  })

  test('by schema: what does not fit is named field by field, on the way in and on the way out', async () => {
    const inputSchema = {
      type: 'object',
      properties: { month: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}$' }, rows: { type: 'integer' } },
      required: ['month'],
    }
    const outputSchema = {
      type: 'object',
      properties: { matched: { type: 'integer' } },
      required: ['matched'],
    }
    const { services } = await seller.updateAgent(agent.walletAddress, {
      services: [{ name: 'Reconcile a month', priceUSDC: usdc('10'), inputSchema, outputSchema }],
    })
    const serviceId = services[0]?.id ?? ''
    const issuesOf = async (call: Promise<unknown>) => {
      const error = await call.then(() => undefined).catch((reason) => reason)
      return [error?.code, error?.details.issues]
    }
    const wrong = { ...order(usdc('10')), serviceId, input: { month: 'October', rows: 1.5 } }
    expect(await issuesOf(buyer.hire(wrong))).toEqual([
      'VALIDATION_ERROR',
      [
        { path: '/input/month', message: 'must match ^[0-9]{4}-[0-9]{2}$' },
        { path: '/input/rows', message: 'must be an integer' },
      ],
    ])
    const input = { month: '2026-10', rows: 12 }
    const hired = await buyer.hire({ ...order(usdc('10')), serviceId, input })
    expect((await seller.getJob(hired.id)).input).toEqual(input)
    expect(await issuesOf(seller.deliverJob(hired.id, { output: { matched: 'all' } }))).toEqual([
      'VALIDATION_ERROR',
      [{ path: '/output/matched', message: 'must be an integer' }],
    ])
    const { status } = await seller.deliverJob(hired.id, { output: { matched: 12 } })
    expect(status).toBe('COMPLETED')
    expect((await buyer.getJob(hired.id)).delivery?.output).toEqual({ matched: 12 })
  })

  test('the seller reports progress, and the buyer reads it live and later', async () => {
    const { id } = await buyer.hire(order(usdc('10')))
    const stop = new AbortController()
    const feed = buyer.streamNotifications({ signal: stop.signal })
    const live = feed.next()
    const reported = await seller.reportProgress(id, { step: 'Reading', percent: 10 })
    expect(reported).toMatchObject({ step: 'Reading', percent: 10, note: null })
    const second = await seller.reportProgress(id, { step: 'Matching', note: 'Half of it.' })
    let event = await live
    while (event.value?.type !== 'JOB_PROGRESS') event = await feed.next()
    expect(event.value.link).toBe(`/jobs/${id}`)
    stop.abort()
    expect(await collect(buyer.listJobProgress(id, { limit: 1 }))).toEqual([second, reported])
    await expect(buyer.reportProgress(id, { step: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('the buyer hands in a file with the hire', async () => {
    const file = await buyer.uploadHireFile({ name: 'October.csv', content: 'a,b', mediaType: 'text/csv' })
    const { id, files } = await buyer.hire({ ...order(usdc('10')), files: [file.id] })
    expect(files).toMatchObject([{ id: file.id, name: 'October.csv', mediaType: 'text/csv', from: 'CLIENT' }])
    expect(await seller.downloadJobFile(id, file.id)).toEqual(new TextEncoder().encode('a,b'))
  })

  test('both parties write to each other, with a file', async () => {
    const { id } = await buyer.hire(order(usdc('10')))
    const { uri, cid } = await buyer.uploadFile('The ledger.')
    const question = await buyer.sendJobMessage(id, { text: 'Is this enough?', attachments: [uri] })
    expect(question).toMatchObject({ from: 'CLIENT', text: 'Is this enough?', attachments: [uri] })
    expect(await seller.downloadFile(cid)).toEqual(new TextEncoder().encode('The ledger.'))
    const reply = await seller.sendJobMessage(id, { text: 'It is.' }, { idempotencyKey: 'reply' })
    expect(await seller.sendJobMessage(id, { text: 'It is.' }, { idempotencyKey: 'reply' })).toEqual(reply)
    expect(await collect(buyer.listJobMessages(id, { limit: 1 }))).toEqual([reply, question])
  })

  test.each([
    ['X402', '11'],
    ['ESCROW', '111'],
  ])('%s: every first response is lost, and yet it is hired and paid once', async (paymentMethod, price) => {
    const answered = new Set<string>()
    const forgetful = createMarketplaceClient({
      baseUrl: service.url,
      account: buyerAccount,
      retry: { baseDelayMs: 1 },
      async fetch(input, init) {
        const response = await fetch(input, init)
        const isPayment = new Headers(init?.headers).has('payment-signature')
        const call = `${init?.method} ${input} ${isPayment}`
        if (answered.has(call)) return response
        answered.add(call)
        await response.arrayBuffer()
        throw new TypeError('the response was lost')
      },
    })
    const before = await balancesOf({ buyer: buyerAccount.address })
    const [newest] = await collect(buyer.listJobs({ role: 'client' }))
    const job = await forgetful.hire(order(usdc(price)))
    expect([job.status, job.paymentMethod]).toEqual(['IN_PROGRESS', paymentMethod])
    const [hired, previous] = await collect(buyer.listJobs({ role: 'client' }))
    expect([hired?.id, previous?.id]).toEqual([job.id, newest?.id])
    const after = await balancesOf({ buyer: buyerAccount.address })
    expect(before.buyer - after.buyer).toBe(BigInt(usdc(price)))
  })

  test('escrow: changes, a dispute with evidence, a settlement', async () => {
    const { id, status, paymentMethod } = await buyer.hire(order(usdc('100')))
    expect([status, paymentMethod]).toEqual(['IN_PROGRESS', 'ESCROW'])
    await seller.deliverJob(id, { content: 'Half of it.' })
    expect((await buyer.requestJobChanges(id, { reason: 'More.' })).changeRequestsLeft).toBe(1)
    await seller.deliverJob(id, { content: 'Three quarters.' })
    const { uri } = await buyer.uploadFile('What is missing.')
    expect((await buyer.openDispute(id, { reason: 'Not all.', evidence: [uri] })).status).toBe('DISPUTED')
    const disputed = await seller.addDisputeEvidence(id, { reason: 'It was a lot.' })
    expect(disputed.dispute?.evidence).toHaveLength(2)
    await seller.proposeSettlement(id, { sellerBps: 7500 })
    expect((await buyer.acceptSettlement(id)).status).toBe('COMPLETED')
    const settled = await buyer.waitForJob(id, ({ escrowState }) => escrowState === 'SETTLED')
    expect(settled.dispute?.sellerBps).toBe(7500)
  })

  test('cancelled, declined, refunded; and listed', async () => {
    const unpaid = await buyer.createJob(order(usdc('20')))
    expect(unpaid.paymentInfo.method).toBe('x402')
    expect((await buyer.cancelJob(unpaid.job.id, { reason: 'No.' })).status).toBe('CANCELLED')
    await expect(buyer.waitForJob(unpaid.job.id, 'COMPLETED')).rejects.toMatchObject({
      code: 'INVALID_STATE',
    })
    const declined = await buyer.createJob(order(usdc('20')))
    expect((await seller.declineJob(declined.job.id)).status).toBe('CANCELLED')
    const refunded = await buyer.hire(order(usdc('120')))
    expect((await seller.refundJob(refunded.id)).status).toBe('CANCELLED')
    const listed = await collect(buyer.listJobs({ role: 'client', limit: 2 }))
    expect(listed.map(({ id }) => id).slice(0, 3)).toEqual([refunded.id, declined.job.id, unpaid.job.id])
  })

  test('a buyer without money gets an error, and the job waits for the payment', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const poor = createMarketplaceClient({ baseUrl: service.url, account })
    const error = await poor.hire(order(usdc('30'))).catch((reason) => reason)
    expect(error).toMatchObject({
      code: 'PAYMENT_REQUIRED',
      details: { reason: 'invalid_exact_evm_insufficient_balance' },
    })
    await poor.sandboxFaucet({ amount: usdc('30') })
    expect((await poor.payJob(error.details.jobId)).status).toBe('IN_PROGRESS')
  })
})

test('notifications are listed, streamed live and marked as read', async () => {
  const stop = new AbortController()
  const newest = await first(seller.listNotifications())
  const feed = seller.streamNotifications({ lastEventId: newest?.id, signal: stop.signal })
  const live = feed.next()
  const { job } = await buyer.createJob({
    agentId: agent.id,
    title: 'Look at me',
    description: 'Now.',
    agreedPrice: usdc('1'),
  })
  const { value } = await live
  expect([value?.type, value?.link?.includes(job.id)]).toEqual(['JOB_CREATED', true])
  stop.abort()
  expect((await feed.next()).done).toBe(true)
  expect((await seller.markNotificationRead(value?.id ?? '')).notification.read).toBe(true)
  expect((await seller.markAllNotificationsRead()).unreadCount).toBe(0)
})

test('a buyer asks before hiring, and the seller replies once', async () => {
  const wallet = agent.walletAddress
  const question = await buyer.askQuestion(wallet, { text: 'Which months?' })
  expect(question).toMatchObject({ text: 'Which months?', own: true, reply: null })
  const visitor = createMarketplaceClient({ baseUrl: service.url })
  expect(await collect(visitor.listAgentQuestions(wallet))).toEqual([])
  expect(await collect(seller.listAgentQuestions(wallet))).toEqual([{ ...question, own: false }])
  const replied = await seller.replyToQuestion(question.id, { text: 'All of them.' })
  expect(await collect(visitor.listAgentQuestions(wallet, { limit: 1 }))).toEqual([replied])
  expect(replied).toMatchObject({ id: question.id, reply: 'All of them.' })
  await expect(seller.replyToQuestion(question.id, { text: 'None.' })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
})

test('any endpoint is called by its name; a session that ended is opened again; logging out ends it', async () => {
  const { kinds } = await buyer.call('getX402Supported')
  expect(kinds.map(({ scheme }) => scheme)).toContain('exact')
  const { owner } = await buyer.getSession()
  await buyer.logout()
  expect((await buyer.getSession()).owner).toEqual(owner)
  const { offsetSeconds } = await buyer.sandboxClock(60)
  expect(offsetSeconds).toBeGreaterThan(0)
})
