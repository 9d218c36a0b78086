import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { decodePaymentSignatureHeader } from '@x402/core/http'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Offer } from '../../ports/payments/port.ts'
import { PATIENCE_MS } from '../../testing/patience.ts'
import { newWallet } from '../../testing/sign-in.ts'
import { headerOf, signPayment } from '../../testing/sign-payment.ts'
import { respondJson, startConnections } from '../connections/testing/start-connections.ts'

/** The official client speaks to the service over the network, in both eras of the protocol. */

const SERVICE = 'creconcile000000000000001'

let world: Awaited<ReturnType<typeof startConnections>>
let url: URL
const clients: Client[] = []
beforeAll(async () => {
  world = await startConnections()
  url = new URL('/mcp', await world.http.listen({ port: 0, host: '127.0.0.1' }))
})
afterAll(async () => {
  for (const client of clients) await client.close()
  await world.close()
})

async function connect(headers: Record<string, string> = {}, mode: 'auto' | 'legacy' = 'auto') {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }), PATIENT)
  clients.push(client)
  return client
}

/** However slow the machine is. */
const PATIENT = { timeout: PATIENCE_MS }

const callTool = (
  client: Client,
  name: string,
  args: Record<string, unknown>,
  _meta?: Record<string, unknown>,
) => client.callTool({ name, arguments: args, ...(_meta && { _meta }) }, PATIENT)

const services = [{ id: SERVICE, priceMicro: '2500000', deliveryHours: 24 }]
const newAgent = async (fields: { name?: string } = {}) =>
  world.newAgent(await world.newOwner(), { services, ...fields })

describe.each(['auto', 'legacy'] as const)('without an account, %s', (mode) => {
  test('lists tools, finds an agent and reads its service', async () => {
    // A name of its own: a page of the other mode's search is kept, and agents of this world are made behind the service.
    const name = `Ledger Lark ${mode}`
    const agent = await newAgent({ name })
    const client = await connect({}, mode)
    const { tools } = await client.listTools(undefined, PATIENT)
    expect(tools.map(({ name }) => name)).toContain('search_agents')
    const search = await callTool(client, 'search_agents', { query: name })
    expect(search.structuredContent).toMatchObject({
      agents: expect.arrayContaining([
        expect.objectContaining({
          wallet: agent.wallet,
          services: [expect.objectContaining({ priceUsdc: '2.50' })],
        }),
      ]),
    })
    const service = await callTool(client, 'get_service', { wallet: agent.wallet, serviceId: SERVICE })
    expect(service.structuredContent).toMatchObject({
      priceUsdc: '2.50',
      takesOrders: true,
      inputSchema: { required: ['task'] },
    })
  })
})

test('documents, guides and agents are read as Markdown', async () => {
  const agent = await newAgent()
  const client = await connect()
  const { resources } = await client.listResources(undefined, PATIENT)
  const uri = `http://localhost:4000/agents/${agent.wallet}.md`
  const guide = 'http://localhost:4000/docs/first-hire.md'
  expect(resources.map((resource) => resource.uri)).toEqual(
    expect.arrayContaining([
      uri,
      guide,
      'http://localhost:4000/llms.txt',
      'http://localhost:4000/docs/errors.md',
    ]),
  )
  const texts = await Promise.all(
    [uri, guide, 'http://localhost:4000/docs/errors.md'].map(
      async (uri) => (await client.readResource({ uri }, PATIENT)).contents[0],
    ),
  )
  expect(texts).toEqual([
    expect.objectContaining({ mimeType: 'text/markdown', text: expect.stringContaining('# Ledger Lark') }),
    expect.objectContaining({ text: expect.stringContaining('# Hire your first agent') }),
    expect.objectContaining({ text: expect.stringContaining('PAYMENT_REQUIRED') }),
  ])
  for (const missing of ['agents/0x1.md', 'docs/second-hire.md'])
    await expect(client.readResource({ uri: `http://localhost:4000/${missing}` })).rejects.toThrow()
})

describe('with an account', () => {
  test('its jobs are read, and those of others are not', async () => {
    const agent = await newAgent()
    const [buyer, other] = [await world.newOwner(), await world.newOwner()]
    const made = await world.http.inject({
      method: 'POST',
      url: '/api/jobs',
      headers: buyer.headers,
      payload: {
        agentId: agent.id,
        serviceId: SERVICE,
        title: 'Reconcile',
        description: 'October.',
        agreedPrice: '2500000',
      },
    })
    const jobId: string = made.json().data.jobId
    const client = await connect(buyer.headers)
    const mine = await callTool(client, 'my_jobs', { role: 'client' })
    expect(mine.structuredContent).toEqual({
      jobs: [expect.objectContaining({ jobId, status: 'PENDING', priceUsdc: '2.50' })],
      nextCursor: null,
    })
    const waited = await callTool(client, 'wait_for_job', { jobId, seconds: 0 })
    expect(waited.structuredContent).toMatchObject({
      status: 'PENDING',
      page: `http://localhost:4000/jobs/${jobId}`,
    })
    expect(waited.content[0]).toMatchObject({ text: expect.stringContaining('call wait_for_job again') })
    const stranger = await connect(other.headers)
    const hidden = await callTool(stranger, 'get_job', { jobId })
    expect([hidden.isError, hidden.structuredContent]).toEqual([
      true,
      { error: expect.objectContaining({ code: 'NOT_FOUND' }) },
    ])
  })

  test('401 has a challenge, without a credential and with one that is not valid', async () => {
    const call = (name: string, headers: Record<string, string> = {}) =>
      world.http.inject({
        method: 'POST',
        url: '/mcp',
        headers: { accept: 'application/json, text/event-stream', ...headers },
        payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } },
      })
    const anonymous = await call('my_jobs')
    expect(anonymous.statusCode).toBe(401)
    expect(anonymous.headers['www-authenticate']).toContain('Bearer scope="read", resource_metadata="')
    const invalid = await call('search_agents', { authorization: 'Bearer nonsense' })
    expect(invalid.statusCode).toBe(401)
    expect(invalid.headers['www-authenticate']).toContain('Bearer error="invalid_token", ')
    expect((await call('search_agents')).statusCode).toBe(200)
  })
})

test('pages of other sites are rejected, and so is what is no JSON', async () => {
  const post = (headers: Record<string, string>, payload: string) =>
    world.http.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      payload,
    })
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  expect((await post({ origin: 'https://elsewhere.example' }, ping)).statusCode).toBe(403)
  expect((await post({ origin: 'http://localhost:4000' }, ping)).statusCode).toBe(200)
  expect((await post({}, '{')).statusCode).toBe(400)
  expect((await post({}, `[${ping}]`)).statusCode).toBe(400)
  expect((await world.http.inject('/mcp')).statusCode).toBe(405)
})

const PRICE = 2_500_000n
const balanceOf = (address: string) => world.chain.usdc.balanceOf(address)

/** Engine and worker go round until the call has its result. */
async function serve<T>(call: Promise<T>): Promise<T> {
  let isDone = false
  const done = call.finally(() => {
    isDone = true
  })
  done.catch(() => undefined)
  while (!isDone) {
    await world.money.runOnce()
    await world.work()
  }
  return done
}

/** What a client with a wallet does: calls, signs what is requested, and calls again with the payment. */
async function payAndHire(client: Client, payer: PrivateKeyAccount, args: Record<string, unknown>) {
  const asked = await callTool(client, 'hire', args)
  const required = asked.structuredContent as unknown as { accepts: [Offer]; extensions: object }
  expect(asked.isError).toBe(true)
  expect(JSON.parse((asked.content[0] as { text: string }).text)).toEqual(required)
  expect(required).toMatchObject({
    x402Version: 2,
    error: 'A payment in _meta["x402/payment"] is required',
    resource: { url: 'mcp://tool/hire' },
  })
  const signed = headerOf(await signPayment(world, payer, required.accepts[0]))
  const { extensions } = required
  const payment = { ...decodePaymentSignatureHeader(signed['payment-signature']), extensions }
  return serve(callTool(client, 'hire', args, { 'x402/payment': payment }))
}

async function newPayer(micro: bigint): Promise<PrivateKeyAccount> {
  const wallet = newWallet()
  await world.give(wallet.address, micro)
  return wallet
}

describe('hiring with a wallet, without an account', () => {
  test.each(['auto', 'legacy'] as const)('pays in the call, and once for every retry, %s', async (mode) => {
    world.program.respondWith(respondJson(200, { content: 'All 1,204 match.' }))
    const { agent } = await world.newConnectedAgent({ services })
    const client = await connect({}, mode)
    await client.listTools(undefined, PATIENT)
    const payer = await newPayer(3n * PRICE)
    const args = {
      wallet: agent.wallet,
      serviceId: SERVICE,
      input: { task: 'Match October.' },
      idempotencyKey: `purchase-${newWallet().address}`,
    }
    const hired = await payAndHire(client, payer, args)
    expect(hired.isError, JSON.stringify(hired.content)).toBeFalsy()
    const { jobId, token } = hired.structuredContent as { jobId: string; token: string }
    let job: { status?: string } = Object(hired.structuredContent)
    while (job.status === 'PENDING' || job.status === 'IN_PROGRESS') {
      const waited = await serve(callTool(client, 'wait_for_job', { jobId, token }))
      job = Object(waited.structuredContent)
    }
    expect(job).toMatchObject({ jobId, status: 'COMPLETED', result: { text: 'All 1,204 match.' } })
    expect([await balanceOf(payer.address), await balanceOf(agent.wallet)]).toEqual([2n * PRICE, PRICE])

    // Signed again, as clients do that have lost the first result.
    const again = await payAndHire(client, payer, args)
    expect(again.structuredContent).toMatchObject({ jobId, status: 'COMPLETED', token })
    expect(again._meta?.['x402/payment-response']).toMatchObject({ success: true, payer: payer.address })
    const other = { ...args, input: { task: 'Match November.' } }
    expect((await payAndHire(client, payer, other)).structuredContent).toMatchObject({
      error: { code: 'CONFLICT' },
    })
    expect([await balanceOf(payer.address), await balanceOf(agent.wallet)]).toEqual([2n * PRICE, PRICE])
    expect(await world.breaches()).toEqual([])
  })

  test('asks for nothing that costs more than was agreed to', async () => {
    const agent = await newAgent()
    const client = await connect()
    const dear = await callTool(client, 'hire', {
      wallet: agent.wallet,
      serviceId: SERVICE,
      input: { task: 'Match October.' },
      idempotencyKey: 'a-purchase-that-is-too-dear',
      maxPriceUsdc: '2.49',
    })
    expect(dear.structuredContent).toMatchObject({ error: { code: 'UNEXPECTED_PAYMENT' } })
    expect(JSON.stringify(dear)).not.toContain('accepts')
  })
})

test('with an account a person pays on the page, the seller delivers, and the client reviews', async () => {
  const agent = await newAgent()
  const buyer = await world.newOwner()
  await world.give(buyer.wallet.address, PRICE)
  const client = await connect(buyer.headers)
  const args = {
    wallet: agent.wallet,
    serviceId: SERVICE,
    input: { task: 'Match October.' },
    idempotencyKey: 'one-purchase-of-this-account',
  }
  const hired = await callTool(client, 'hire', args)
  const { jobId } = hired.structuredContent as { jobId: string }
  expect(hired.structuredContent).toMatchObject({
    status: 'PENDING',
    page: `http://localhost:4000/jobs/${jobId}`,
  })
  expect((await callTool(client, 'hire', args)).structuredContent).toMatchObject({
    jobId,
  })
  const mine = await callTool(client, 'my_jobs', {})
  expect(mine.structuredContent).toMatchObject({ jobs: [{ jobId }] })

  const header = await world.x402Header(buyer.wallet, await world.act(buyer, jobId, 'pay'))
  const url = `/api/jobs/${jobId}/pay`
  const pay = async () => world.http.inject({ method: 'POST', url, headers: { ...buyer.headers, ...header } })
  expect((await serve(pay())).statusCode).toBe(200)
  const seller = await connect(agent.owner.headers)
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const result = await serve(callTool(seller, name, given))
    expect(result.isError, JSON.stringify(result.content)).toBeFalsy()
    return result.structuredContent
  }
  expect(await call('next_job')).toMatchObject({
    job: { jobId, description: 'Match October.', input: { task: 'Match October.' } },
    waiting: 1,
  })
  await call('report_progress', { jobId, step: 'Matching', percent: 40 })
  await call('send_message', { jobId, text: 'Nearly there.' })
  expect(await call('deliver', { jobId, text: 'All match.' })).toMatchObject({ status: 'COMPLETED' })
  expect(await call('next_job')).toEqual({ job: null, waiting: 0 })
  expect(await call('earnings')).toMatchObject({ netUsdc: '2.50' })
  const done = await callTool(client, 'wait_for_job', { jobId })
  expect(done.structuredContent).toMatchObject({ status: 'COMPLETED', result: { text: 'All match.' } })
  const reviewed = await callTool(client, 'review', { jobId, rating: 5 })
  expect(reviewed.structuredContent).toMatchObject({ rating: 5 })
  const spent = await callTool(client, 'spending', {})
  expect(spent.structuredContent).toMatchObject({ paidUsdc: '2.50', entries: [{ jobId }] })
})

describe('a job in escrow', () => {
  /** Hired and delivered; the client's tools, and the status that each leads to. */
  async function newDelivered() {
    const agent = await newAgent()
    const buyer = await world.newOwner()
    const jobId = await world.hireAndFund(buyer, agent)
    const [client, seller] = [await connect(buyer.headers), await connect(agent.owner.headers)]
    const statusAfter = async (who: Client, tool: string, args: Record<string, unknown> = {}) => {
      const { isError, structuredContent } = await serve(callTool(who, tool, { jobId, ...args }))
      const { status, error } = Object(structuredContent)
      return isError ? error.code : status
    }
    expect(await statusAfter(seller, 'deliver', { text: 'A first try.' })).toBe('UNDER_REVIEW')
    const escrowState = async () => (await world.jobOf(buyer, jobId)).escrowState
    return { agent, jobId, client, seller, statusAfter, escrowState }
  }

  test('is changed, delivered again and approved, which pays the agent', async () => {
    const { agent, client, seller, statusAfter, escrowState } = await newDelivered()
    expect(await statusAfter(client, 'request_changes', { reason: 'Add the fees.' })).toBe('IN_PROGRESS')
    expect(await statusAfter(client, 'approve')).toBe('INVALID_STATE')
    expect(await statusAfter(seller, 'deliver', { text: 'With fees.' })).toBe('UNDER_REVIEW')
    expect(await statusAfter(seller, 'approve')).toBe('FORBIDDEN')
    expect(await statusAfter(client, 'approve')).toBe('COMPLETED')
    await world.runUntilIdle()
    expect(await escrowState()).toBe('RELEASED')
    expect(await balanceOf(agent.wallet)).toBe(147_000_000n)
    expect(await statusAfter(client, 'dispute', { reason: 'Too late.' })).toBe('INVALID_STATE')
    expect(await world.breaches()).toEqual([])
  })

  test('is disputed, and then neither approved nor changed', async () => {
    const { agent, client, statusAfter, escrowState } = await newDelivered()
    expect(await statusAfter(client, 'dispute', { reason: 'The totals are wrong.' })).toBe('DISPUTED')
    await world.runUntilIdle()
    expect(await escrowState()).toBe('DISPUTED')
    expect(await statusAfter(client, 'approve')).toBe('INVALID_STATE')
    expect(await statusAfter(client, 'request_changes', { reason: 'Add the fees.' })).toBe('INVALID_STATE')
    expect(await balanceOf(agent.wallet)).toBe(0n)
  })
})

test('the caps of a key are in what hire and spending return, and hold', async () => {
  const agent = await newAgent()
  const buyer = await world.newOwner()
  const made = await world.http.inject({
    method: 'POST',
    url: '/api/api-keys',
    headers: buyer.headers,
    payload: { name: 'Model', scopes: ['read', 'hire'], budget: { perJob: '3000000', total: '4000000' } },
  })
  const client = await connect({ authorization: `Bearer ${made.json().data.key}` })
  const hire = (idempotencyKey: string) =>
    callTool(client, 'hire', {
      wallet: agent.wallet,
      serviceId: SERVICE,
      input: { task: 'x' },
      idempotencyKey,
    })
  const capsWith = (leftInAllUsdc: string) => [
    { of: 'credential', perJobUsdc: '3.00', leftOfDayUsdc: null, leftOfMonthUsdc: null, leftInAllUsdc },
  ]
  expect((await callTool(client, 'spending', {})).structuredContent).toMatchObject({ caps: capsWith('4.00') })
  const first = await hire('the-first-of-this-key')
  expect(first.structuredContent).toMatchObject({ status: 'PENDING', caps: capsWith('1.50') })
  expect(first.content[0]).toMatchObject({
    text: expect.stringContaining('The credential may spend 3.00 USDC on one job, 1.50 more in all.'),
  })
  expect((await hire('the-second-of-this-key')).structuredContent).toMatchObject({
    error: { code: 'BUDGET_EXCEEDED', details: expect.objectContaining({ left: '1500000' }) },
  })
  expect((await callTool(client, 'spending', {})).structuredContent).toMatchObject({ caps: capsWith('1.50') })
  const whole = await connect(buyer.headers)
  expect((await callTool(whole, 'spending', {})).structuredContent).toMatchObject({ caps: [] })
})

test('a key that may hire and not read gets the job that it made, with its own caps, and makes one for every retry', async () => {
  const agent = await newAgent()
  const buyer = await world.newOwner()
  const made = await world.http.inject({
    method: 'POST',
    url: '/api/api-keys',
    headers: buyer.headers,
    payload: { name: 'Model', scopes: ['hire'], budget: { perJob: '3000000', total: '4000000' } },
  })
  const client = await connect({ authorization: `Bearer ${made.json().data.key}` })
  const hire = () =>
    callTool(client, 'hire', {
      wallet: agent.wallet,
      serviceId: SERVICE,
      input: { task: 'Match October.' },
      idempotencyKey: 'the-only-one-of-this-key',
    })
  const hired = await hire()
  const whole = await connect(buyer.headers)
  const { jobs } = Object((await callTool(whole, 'my_jobs', {})).structuredContent)
  expect(jobs).toHaveLength(1)
  const [{ jobId }] = jobs
  expect(hired.isError, JSON.stringify(hired.content)).toBeFalsy()
  expect(hired.structuredContent).toEqual({
    jobId,
    agent: { name: 'Ledger Lark', wallet: agent.wallet },
    serviceId: SERVICE,
    priceUsdc: '2.50',
    page: `http://localhost:4000/jobs/${jobId}`,
    caps: [
      {
        of: 'credential',
        perJobUsdc: '3.00',
        leftOfDayUsdc: null,
        leftOfMonthUsdc: null,
        leftInAllUsdc: '1.50',
      },
    ],
  })
  expect(hired.content[0]).toMatchObject({ text: expect.stringContaining('it needs read') })
  expect((await hire()).structuredContent).toEqual(hired.structuredContent)
  expect((await callTool(whole, 'my_jobs', {})).structuredContent).toMatchObject({ jobs: [{ jobId }] })
})

test('promises no news of its lists, which do not change', async () => {
  const client = await connect()
  expect(client.getServerCapabilities()).toMatchObject({
    tools: { listChanged: false },
    resources: { listChanged: false },
  })
})

test('calls count, however their path is spelled', async () => {
  const { http } = await world.startBeside({ environment: { RATE_LIMITS: 'on' }, ports: () => ({}) })
  const leftAfter = async (url: string) =>
    Number((await http.inject({ method: 'POST', url, payload: {} })).headers['x-ratelimit-remaining'])
  const left = await leftAfter('/api/a2a')
  expect([await leftAfter('/%61pi/a2a'), await leftAfter('/mcp')]).toEqual([left - 1, left - 2])
})
