import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sinceNow } from '../../../testing/since.ts'
import { createJobCalls, type JobCalls } from '../testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../testing/start-jobs.ts'

const SERVICE = 'cproofreading'
const services = [{ id: SERVICE, priceMicro: '5000000', deliveryHours: 6 }]

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent

beforeAll(async () => {
  world = await startJobs()
  calls = createJobCalls(world)
  seller = await world.newOwner()
  client = await world.newOwner()
  agent = await world.newAgent(seller, { services })
})
afterAll(() => world.close())
afterEach(async () => {
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

const bodyFor = (hired: TestAgent, agreedPrice: string, more: object = {}) => ({
  agentId: hired.id,
  title: 'Reconcile October',
  description: 'All of it.',
  agreedPrice,
  ...more,
})
const quote = (hired: TestAgent, agreedPrice: string, more: object = {}) =>
  calls.send(client, '/api/jobs/quote', bodyFor(hired, agreedPrice, more))
const hire = (hired: TestAgent, agreedPrice: string, more: object = {}) =>
  calls.send(client, '/api/jobs', bodyFor(hired, agreedPrice, more))

describe('buyer protection', () => {
  test('a quote below 100 USDC shows both choices side by side', async () => {
    const { data } = (await quote(agent, '5000000')).json()
    expect(data).toMatchObject({ paymentMethod: 'X402', platformFee: '0', deliveryHours: 72 })
    expect(data.choices).toMatchObject([
      { paymentMethod: 'X402', buyerProtection: false, agreedPrice: '5000000', netAmount: '5000000' },
      { paymentMethod: 'ESCROW', buyerProtection: true, agreedPrice: '5000000', netAmount: '4900000' },
    ])
    expect(data.choices.every(({ promises }: { promises: string[] }) => promises.length === 3)).toBe(true)
    const large = (await quote(agent, '100000000')).json().data
    expect(large.choices).toMatchObject([{ paymentMethod: 'ESCROW', buyerProtection: false }])
  })

  test('routes a small price through escrow, with its fee and all its rights', async () => {
    const jobId = await calls.hireAndFund(client, agent, '5000000', { buyerProtection: true })
    expect(await calls.jobOf(client, jobId)).toMatchObject({
      paymentMethod: 'ESCROW',
      buyerProtection: true,
      platformFee: '100000',
      netAmount: '4900000',
      status: 'IN_PROGRESS',
      escrowState: 'FUNDED',
    })
    const { treasury } = world.chain.facts.contracts
    const before = await world.chain.usdc.balanceOf(treasury)
    await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
    await calls.act(client, jobId, 'approve')
    await world.engine.runUntilIdle()
    expect(await world.chain.usdc.balanceOf(agent.wallet)).toBe(4_900_000n)
    expect((await world.chain.usdc.balanceOf(treasury)) - before).toBe(100_000n)
  })

  test('a small protected job can be disputed, and refunded by the escrow', async () => {
    const jobId = await calls.hireAndFund(client, agent, '5000000', { buyerProtection: true })
    const disputed = await calls.act(client, jobId, 'dispute', { reason: 'Half is missing.' })
    expect(disputed.json().data).toMatchObject({ status: 'DISPUTED', escrowState: 'DISPUTED' })
    await calls.act(seller, jobId, 'refund')
    await world.engine.runUntilIdle()
    expect(await calls.jobOf(client, jobId)).toMatchObject({
      status: 'CANCELLED',
      escrowState: 'REFUNDED',
      refund: null,
    })
  })

  test('what is hired and paid in one call is what was quoted', async () => {
    await world.give(client.wallet.address, 5_000_000n)
    const body = bodyFor(agent, '5000000', { buyerProtection: true })
    const { reservation, paymentInfo } = (await calls.send(client, '/api/jobs/quote', body)).json().data
    const prepaid = { ...body, reservation, ...(await calls.sign(client.wallet, paymentInfo.typedData)) }
    const other = await calls.send(client, '/api/jobs', { ...prepaid, buyerProtection: false })
    expect([other.statusCode, other.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
    const hired = await world.whileWorking(calls.send(client, '/api/jobs', prepaid))
    expect([hired.statusCode, hired.json().data]).toMatchObject([
      201,
      { status: 'IN_PROGRESS', paymentMethod: 'ESCROW' },
    ])
  })

  test.each([
    ['absent', {}],
    ['false', { buyerProtection: false }],
  ])('%s: the price alone decides', async (_name, more) => {
    expect((await hire(agent, '99999999', more)).json().data).toMatchObject({ paymentMethod: 'X402' })
    expect((await hire(agent, '100000000', more)).json().data).toMatchObject({ paymentMethod: 'ESCROW' })
  })

  test('from 100 USDC on it changes nothing', async () => {
    const { data } = (await hire(agent, '100000000', { buyerProtection: true })).json()
    expect(await calls.jobOf(client, data.jobId)).toMatchObject({
      paymentMethod: 'ESCROW',
      buyerProtection: false,
    })
  })
})

describe('custom orders', () => {
  test('INSTANT: payable at once', async () => {
    const { data } = (await hire(agent, '5000000')).json()
    const job = await calls.jobOf(client, data.jobId)
    expect(job).toMatchObject({ needsAcceptance: false, serviceId: null })
    expect(job.allowedActions).toContain('PAY')
  })

  test('OFF: refused, while the agent’s services can be ordered', async () => {
    const off = await world.newAgent(seller, { services, customOrders: 'OFF' })
    for (const call of [quote, hire]) {
      const refused = await call(off, '5000000')
      expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'INVALID_STATE'])
    }
    expect((await hire(off, '5000000', { serviceId: SERVICE })).statusCode).toBe(201)
  })

  test.each([
    ['X402', '5000000'],
    ['ESCROW', '150000000'],
  ])('ON_REQUEST, %s: no money moves before the seller accepts', async (rail, price) => {
    const asked = await world.newAgent(seller, { services, customOrders: 'ON_REQUEST' })
    const quoted = (await quote(asked, price)).json().data
    expect(quoted).toMatchObject({ paymentMethod: rail, needsAcceptance: true })
    expect(quoted.paymentInfo).not.toHaveProperty('typedData')
    expect(quoted.paymentInfo).not.toHaveProperty('requirements')
    const { jobId } = (await hire(asked, price)).json().data
    expect(await calls.jobOf(client, jobId)).toMatchObject({
      status: 'PENDING',
      needsAcceptance: true,
      nextAction: { actor: 'SELLER', action: 'ACCEPT' },
      allowedActions: ['CANCEL'],
      paymentInfo: null,
    })
    expect((await calls.act(client, jobId, 'accept')).statusCode).toBe(403)
    if (rail === 'X402') {
      const early = await calls.act(client, jobId, 'pay')
      expect([early.statusCode, early.json().error.code]).toEqual([409, 'INVALID_STATE'])
    }
    await world.advance(3600)
    const fundBy = sinceNow(world.clock, 24 * 3_600_000)
    const accepted = await calls.act(seller, jobId, 'accept')
    expect(accepted.json().data).toMatchObject({
      status: 'PENDING',
      needsAcceptance: false,
      fundBy,
      nextAction: { actor: 'CLIENT', action: 'PAY' },
    })
    expect((await calls.act(seller, jobId, 'accept')).statusCode).toBe(409)
    const payable = await calls.jobOf(client, jobId)
    expect(payable.allowedActions).toContain('PAY')
    if (rail === 'X402') expect((await calls.act(client, jobId, 'pay')).statusCode).toBe(402)
    else expect(payable.paymentInfo).toHaveProperty('typedData')
  })

  test('ON_REQUEST: an order without a reply ends by itself, and one can be declined', async () => {
    const asked = await world.newAgent(seller, { customOrders: 'ON_REQUEST' })
    const { jobId } = (await hire(asked, '5000000')).json().data
    await world.advance(24 * 3600)
    await world.runTicks()
    expect(await calls.jobOf(client, jobId)).toMatchObject({ status: 'CANCELLED', needsAcceptance: false })
    const { jobId: other } = (await hire(asked, '5000000')).json().data
    expect((await calls.act(seller, other, 'decline')).json().data.status).toBe('CANCELLED')
  })

  test('ON_REQUEST: a service is payable at once', async () => {
    const asked = await world.newAgent(seller, { services, customOrders: 'ON_REQUEST' })
    const { data } = (await hire(asked, '5000000', { serviceId: SERVICE })).json()
    expect((await calls.act(client, data.jobId, 'pay')).statusCode).toBe(402)
  })

  test('a service must be the agent’s own, and paid at its price or above', async () => {
    for (const [more, price, path] of [
      [{ serviceId: 'cunknownservice' }, '5000000', '/serviceId'],
      [{ serviceId: SERVICE }, '4999999', '/agreedPrice'],
    ] as const) {
      const refused = await hire(agent, price, more)
      expect([refused.statusCode, refused.json().error.details.issues]).toMatchObject([400, [{ path }]])
    }
    const { data } = (await hire(agent, '6000000', { serviceId: SERVICE })).json()
    expect((await calls.jobOf(client, data.jobId)).serviceId).toBe(SERVICE)
  })
})
