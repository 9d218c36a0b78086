import { allEndpoints, type Endpoint } from '@agent-marketplace/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkInvariants } from '../../money/audit/invariants.ts'
import { sql } from '../../platform/db/sql.ts'
import { createJobCalls, type JobCalls } from '../jobs/testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../jobs/testing/start-jobs.ts'
import { budgetInvariants } from './invariants.ts'
import { nextMonthOf } from './rules.ts'

/** Keys with budgets, on both rails and at the URL of a service. */

const USDC = 1_000_000
const SERVICE = 'cscoring00000000000000001'
const HOUR = 3600
const DAY = 24 * HOUR

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent

beforeAll(async () => {
  world = await startJobs()
  calls = createJobCalls(world)
  // Noon of the first of a month: no test comes near a midnight that it did not mean.
  const now = world.clock.now()
  await world.advance((nextMonthOf(now).getTime() - now.getTime()) / 1000 + 12 * HOUR)
  seller = await world.newOwner({ kycStatus: 'VERIFIED', kycFeePaid: true })
  const service = { id: SERVICE, priceMicro: String(USDC), deliveryHours: 24 }
  agent = await world.newAgent(seller, { services: [service] })
})
afterAll(async () => {
  expect(await checkInvariants({ db: world.db, chain: world.chain }, budgetInvariants)).toEqual([])
  await world.close()
})
beforeEach(async () => {
  client = await world.newOwner({ kycStatus: 'VERIFIED', kycFeePaid: true })
  await world.give(client.wallet.address, 100_000_000n)
})

const make = (body: object, owner = client) => calls.send(owner, '/api/api-keys', { name: 'Agent', ...body })
/** The same owner, by a key. */
async function keyOf(body: object, owner = client): Promise<TestOwner> {
  const made = await make({ scopes: ['read', 'hire'], ...body }, owner)
  expect(made.statusCode).toBe(201)
  return { ...owner, headers: { authorization: `Bearer ${made.json().data.key}` } }
}
const order = (price = USDC, more: object = {}) => ({
  agentId: agent.id,
  title: 'Reconcile',
  description: 'All of it.',
  agreedPrice: String(price),
  ...more,
})
const hire = (buyer: TestOwner, price?: number, more?: object) =>
  calls.send(buyer, '/api/jobs', order(price, more))
async function hired(buyer: TestOwner, price?: number, more?: object) {
  const response = await hire(buyer, price, more)
  expect(response.statusCode).toBe(201)
  return response.json().data
}
const refusalOf = (response: { statusCode: number; json(): { error: { code: string } } }) => [
  response.statusCode,
  response.json().error.code,
]
const TOO_MUCH = [402, 'BUDGET_EXCEEDED']

async function payDirectly(payer: TestOwner, jobId: string) {
  const header = await calls.x402Header(payer.wallet, await calls.act(client, jobId, 'pay'))
  return calls.send(payer, `/api/jobs/${jobId}/pay`, undefined, header)
}
async function payIntoEscrow(payer: TestOwner, { jobId, paymentInfo }: Awaited<ReturnType<typeof hired>>) {
  return calls.act(payer, jobId, 'pay', await calls.sign(payer.wallet, paymentInfo.typedData))
}
const budgetOf = async (buyer: TestOwner) => (await calls.get(buyer, '/api/budget')).json().data.budget
const totalOf = async (buyer: TestOwner) => {
  const { spent, reserved, left } = (await budgetOf(buyer)).spending.total
  return [spent, reserved, left].map((amount) => (amount === null ? null : Number(amount) / USDC))
}
const balance = () => world.chain.usdc.balanceOf(client.wallet.address)

describe('at the cap', () => {
  test('50 hires at once, of which a budget of 5 pays for exactly 5', async () => {
    const key = await keyOf({ budget: { total: '5000000' } })
    const responses = await Promise.all(Array.from({ length: 50 }, () => hire(key)))
    const made = responses.filter(({ statusCode }) => statusCode === 201)
    const refused = responses.filter(({ statusCode }) => statusCode !== 201)
    expect([made.length, refused.length]).toEqual([5, 45])
    for (const response of refused) expect(refusalOf(response)).toEqual(TOO_MUCH)
    expect(await totalOf(key)).toEqual([0, 5, 0])
    const before = await balance()
    const paid = await world.whileWorking(
      Promise.all(made.map((response) => payDirectly(key, response.json().data.jobId))),
    )
    expect(paid.map(({ statusCode }) => statusCode)).toEqual(made.map(() => 200))
    expect(before - (await balance())).toBe(5_000_000n)
    expect(await totalOf(key)).toEqual([5, 0, 0])
    expect((await hire(key, 1)).json().error.details).toEqual({
      limit: 'TOTAL',
      cap: '5000000',
      spent: '5000000',
      reserved: '0',
      left: '0',
      required: '1',
      resetsAt: null,
    })
  })

  test('payments at once, on both rails, for jobs that the owner hired', async () => {
    const jobs = await Promise.all(
      Array.from({ length: 8 }, (_, index) => hired(client, USDC, { buyerProtection: index % 2 === 0 })),
    )
    const key = await keyOf({ budget: { perDay: '3000000' } })
    const before = await balance()
    const payments = await world.whileWorking(
      Promise.all(
        jobs.map((job, index) => (index % 2 === 0 ? payIntoEscrow(key, job) : payDirectly(key, job.jobId))),
      ),
    )
    const codes = payments.map(({ statusCode }) => statusCode)
    expect(codes.filter((code) => code === 200)).toHaveLength(3)
    expect(codes.filter((code) => code === 402)).toHaveLength(5)
    expect(before - (await balance())).toBe(3_000_000n)
    expect(await totalOf(key)).toEqual([3, 0, null])
    // The owner pays for the others with their own session.
    const open = jobs.filter((_, index) => codes[index] === 402)
    const rest = await world.whileWorking(
      Promise.all(
        open.map((job) =>
          job.paymentInfo.typedData ? payIntoEscrow(client, job) : payDirectly(client, job.jobId),
        ),
      ),
    )
    expect(rest.map(({ statusCode }) => statusCode)).toEqual(open.map(() => 200))
    expect(await totalOf(key)).toEqual([3, 0, null])
  })

  test('a repeated hire counts once, with an Idempotency-Key and with a reservation', async () => {
    const key = await keyOf({ budget: { total: '2000000' } })
    const once = { 'idempotency-key': world.newId() }
    const [first, second] = await Promise.all([1, 2].map(() => calls.send(key, '/api/jobs', order(), once)))
    expect(first?.json().data.jobId).toBe(second?.json().data.jobId)
    const { reservation, paymentInfo } = (await calls.send(key, '/api/jobs/quote', order())).json().data
    const header = await calls.x402HeaderFor(client.wallet, paymentInfo.requirements)
    const twins = await world.whileWorking(
      Promise.all([1, 2].map(() => calls.send(key, '/api/jobs', { ...order(), reservation }, header))),
    )
    expect(twins.map(({ statusCode }) => statusCode)).toEqual([201, 201])
    expect(await totalOf(key)).toEqual([1, 1, 0])
    expect(refusalOf(await hire(key, 1))).toEqual(TOO_MUCH)
  })

  test('one job, and what a larger one is refused with', async () => {
    const key = await keyOf({ budget: { perJob: '2000000', total: '3000000' } })
    const refused = await hire(key, 2 * USDC + 1)
    expect(refusalOf(refused)).toEqual(TOO_MUCH)
    expect(refused.json().error.details).toMatchObject({ limit: 'PER_JOB', left: '2000000' })
    await hired(key, 2 * USDC)
    expect((await hire(key, 2 * USDC)).json().error.details).toMatchObject({
      limit: 'TOTAL',
      left: '1000000',
    })
  })
})

describe('days and months', () => {
  test('begin at 0:00 UTC, and a job counts on the day on which the key last ordered it', async () => {
    const key = await keyOf({ budget: { perDay: '2000000', perMonth: '5000000' } })
    const waiting = await hired(key)
    await hired(key)
    const day = new Date(world.clock.now())
    const refused = (await hire(key)).json().error.details
    expect(refused).toMatchObject({ limit: 'DAY', spent: '0', reserved: '2000000', left: '0' })
    await world.advance(13 * HOUR)
    expect(new Date(refused.resetsAt).getTime()).toBeGreaterThan(day.getTime())
    expect(new Date(refused.resetsAt).getTime()).toBeLessThanOrEqual(world.clock.now().getTime())
    expect((await budgetOf(key)).spending.day).toMatchObject({ reserved: '0', left: '2000000' })
    await hired(key)
    await hired(key)
    // Yesterday's job would be paid today, for which there is no more.
    expect(refusalOf(await calls.act(key, waiting.jobId, 'pay'))).toEqual(TOO_MUCH)
    const { day: today, month } = (await budgetOf(key)).spending
    expect([today.reserved, month.reserved]).toEqual(['2000000', '4000000'])
    await world.advance(DAY)
    await hired(key)
    expect((await hire(key)).json().error.details).toMatchObject({ limit: 'MONTH', left: '0' })
    await world.advance(32 * DAY)
    await hired(key)
  })
})

describe('what comes back', () => {
  test('is given back once: cancelled, expired, refunded on both rails', async () => {
    const key = await keyOf({ budget: { total: '4000000' } })
    const [cancelled, expired, direct, held] = [
      await hired(key),
      await hired(key),
      await hired(key),
      await hired(key, USDC, { buyerProtection: true }),
    ]
    const paid = await world.whileWorking(
      Promise.all([payDirectly(key, direct.jobId), payIntoEscrow(key, held)]),
    )
    expect(paid.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await totalOf(key)).toEqual([2, 2, 0])
    for (const status of [200, 409])
      expect((await calls.act(key, cancelled.jobId, 'cancel')).statusCode).toBe(status)
    expect(await totalOf(key)).toEqual([2, 1, 1])
    await world.advance(DAY + HOUR)
    await world.runTicks()
    expect((await calls.jobOf(client, expired.jobId)).status).toBe('CANCELLED')
    expect(await totalOf(key)).toEqual([2, 0, 2])
    for (const { jobId } of [direct, held])
      expect((await world.whileWorking(calls.act(seller, jobId, 'refund'))).statusCode).toBe(200)
    await world.engine.runUntilIdle()
    await world.runTicks()
    expect(await totalOf(key)).toEqual([0, 0, 4])
    await hired(key, 4 * USDC)
    expect(refusalOf(await hire(key, 1))).toEqual(TOO_MUCH)
  })

  test('a payment that fails leaves the job reserved, and its cancellation gives that back', async () => {
    const poor = await world.newOwner()
    const key = await keyOf({ budget: { total: '1000000' } }, poor)
    const job = await hired(key, USDC, { buyerProtection: true })
    expect(refusalOf(await payIntoEscrow(key, job))).toEqual([422, 'INSUFFICIENT_BALANCE'])
    expect(await totalOf(key)).toEqual([0, 1, 0])
    expect((await calls.act(key, job.jobId, 'cancel')).statusCode).toBe(200)
    expect(await totalOf(key)).toEqual([0, 0, 1])
  })

  test('of a settlement it is the client’s part', async () => {
    const key = await keyOf({ budget: { total: '1000000' } })
    const job = await hired(key, USDC, { buyerProtection: true })
    await world.whileWorking(payIntoEscrow(key, job))
    expect((await calls.act(client, job.jobId, 'dispute', { reason: 'Half of it.' })).statusCode).toBe(200)
    await calls.act(seller, job.jobId, 'dispute/settlement', { sellerBps: 2_500 })
    await calls.act(client, job.jobId, 'dispute/settlement/accept')
    await world.engine.runUntilIdle()
    await world.runTicks()
    expect(await totalOf(key)).toEqual([0.25, 0, 0.75])
  })
})

describe('at the URL of a service', () => {
  test('an order with a key counts, and one beyond its budget is not offered', async () => {
    const key = await keyOf({ budget: { total: String(USDC + 1) } })
    const url = `/api/agents/${agent.wallet}/services/${SERVICE}/orders`
    const send = (headers: Record<string, string> = {}) =>
      calls.send(key, url, { task: 'Match.' }, { prefer: 'wait=0', ...headers })
    const header = await calls.x402Header(client.wallet, await send())
    const ordered = await world.whileWorking(send(header))
    expect(ordered.statusCode).toBe(202)
    expect(await totalOf(key)).toEqual([1, 0, 0.000001])
    const refused = await send()
    expect([...refusalOf(refused), refused.headers['payment-required']]).toEqual([...TOO_MUCH, undefined])
    const reader = await keyOf({ scopes: ['read'] })
    expect(refusalOf(await calls.send(reader, url, { task: 'Match.' }))).toEqual([403, 'FORBIDDEN'])
  })
})

describe('a key', () => {
  test('hires those alone that it may hire', async () => {
    const other = await world.newAgent(seller, { name: 'Other' })
    const byAgent = await keyOf({ allowedAgents: [agent.id] })
    const byCategory = await keyOf({ allowedCategories: ['Finance'] })
    const byAnother = await keyOf({ allowedCategories: ['legal'] })
    expect((await hire(byAgent)).statusCode).toBe(201)
    expect((await hire(byAgent, USDC, { agentId: other.id })).statusCode).toBe(403)
    expect((await hire(byCategory)).statusCode).toBe(201)
    expect(refusalOf(await hire(byAnother))).toEqual([403, 'FORBIDDEN'])
  })

  test('with caps approves and cancels nothing but what it spent itself', async () => {
    const key = await keyOf({ budget: { perJob: '1000000' } })
    const free = await keyOf({})
    const deliver = async (payer: TestOwner) => {
      const job = await hired(payer, USDC, { buyerProtection: true })
      expect((await world.whileWorking(payIntoEscrow(payer, job))).statusCode).toBe(200)
      const delivered = await world.whileWorking(
        calls.act(seller, job.jobId, 'deliver', { content: 'All of it matches.' }),
      )
      expect(delivered.statusCode).toBe(200)
      return job.jobId
    }
    const [ofWallet, another, ofKey] = [await deliver(client), await deliver(client), await deliver(key)]
    const pending = await hired(client)
    for (const [jobId, action] of [
      [ofWallet, 'approve'],
      [pending.jobId, 'cancel'],
    ]) {
      const refused = await calls.act(key, jobId, action)
      expect([action, ...refusalOf(refused)]).toEqual([action, 403, 'FORBIDDEN'])
      expect(refused.json().error.message).toContain('Sign in with your wallet')
    }
    expect((await calls.jobOf(client, ofWallet)).status).toBe('UNDER_REVIEW')
    for (const [owner, jobId] of [
      [client, ofWallet],
      [free, another],
      [key, ofKey],
    ] as const)
      expect((await world.whileWorking(calls.act(owner, jobId, 'approve'))).statusCode).toBe(200)
    expect((await calls.act(free, pending.jobId, 'cancel')).statusCode).toBe(200)
  })

  test('hires with `hire`, sells with `sell`, does both with `write`', async () => {
    const [buying, selling, both] = await Promise.all(
      [['hire'], ['sell'], ['write']].map((scopes) => keyOf({ scopes })),
    )
    const pause = `/api/agents/${agent.wallet}/pause`
    for (const [key, hires, sells] of [
      [buying, 201, false],
      [selling, 403, true],
      [both, 201, true],
    ] as const) {
      if (!key) throw new Error('there is no key')
      expect((await hire(key)).statusCode).toBe(hires)
      // The agent is another owner's: what is refused besides is not about the scopes.
      const { message } = (await calls.send(key, pause)).json().error
      expect(message.includes('scopes')).toBe(!sells)
    }
    const refused = (await hire(selling as TestOwner)).json().error
    expect(refused.details).toEqual({ scopes: ['sell'], needed: ['write', 'hire'] })
    expect((await calls.get(buying as TestOwner, '/api/jobs')).statusCode).toBe(403)
  })

  test('shows what it may spend in the list, beside what it has spent', async () => {
    const key = await keyOf({ budget: { perDay: '2000000' }, allowedCategories: ['finance'] })
    await hired(key)
    const [listed] = (await calls.get(client, '/api/api-keys')).json().data
    expect(listed.budget).toMatchObject({
      caps: { perDay: '2000000' },
      allowedAgents: [],
      allowedCategories: ['finance'],
      spending: {
        day: { spent: '0', reserved: '1000000', left: '1000000' },
        month: { reserved: '1000000', left: null },
        total: { reserved: '1000000', left: null, resetsAt: null },
      },
    })
    expect((await calls.get(client, '/api/budget')).json().data).toEqual({
      scopes: ['read', 'write'],
      budget: null,
    })
  })
})

describe('every call of the contract', () => {
  const changing = allEndpoints.filter(({ method }) => method !== 'GET')
  const call = (key: TestOwner, { method, path }: Endpoint) =>
    world.http.inject({
      method,
      url: path.replaceAll(/\{\w+\}/g, 'unknown'),
      headers: key.headers,
      payload: {},
    })

  test('that moves money otherwise is refused to a key with a budget', async () => {
    const key = await keyOf({ scopes: ['read', 'write'], budget: { total: '1' } })
    const listed = await keyOf({ scopes: ['read', 'write'], allowedAgents: [agent.id] })
    const uncapped = changing.filter(({ keys }) => keys?.money === 'uncapped')
    expect(uncapped.length).toBeGreaterThan(0)
    for (const endpoint of uncapped) {
      for (const capped of [key, listed]) {
        const refused = await call(capped, endpoint)
        expect([endpoint.id, refused.statusCode]).toEqual([endpoint.id, 403])
        expect(refused.json().error.message).toContain('the budget of this API key does not count')
      }
    }
  })

  test('that is counted is refused beyond the budget', async () => {
    const key = await keyOf({ budget: { total: '1' } })
    const escrow = await hired(client, USDC, { buyerProtection: true })
    const direct = await hired(client)
    /** A call of each that would spend 1 USDC. */
    const spending: Record<string, () => Promise<Parameters<typeof refusalOf>[0]>[]> = {
      createJob: () => [hire(key)],
      payJob: () => [payIntoEscrow(key, escrow), payDirectly(key, direct.jobId)],
      orderService: () => [
        calls.send(key, `/api/agents/${agent.wallet}/services/${SERVICE}/orders`, { task: 'Match.' }),
      ],
    }
    const counted = changing.filter(({ keys }) => keys?.money === 'counted')
    expect(Object.keys(spending).sort()).toEqual(counted.map(({ id }) => id).sort())
    for (const attempts of Object.values(spending))
      for (const attempt of attempts()) expect(refusalOf(await attempt)).toEqual(TOO_MUCH)
  })

  test('that changes something is refused to a key for reading', async () => {
    const key = await keyOf({ scopes: ['read'] })
    for (const endpoint of changing.filter(
      ({ access, sandboxOnly }) => access !== 'public' && !sandboxOnly,
    )) {
      const { statusCode } = await call(key, endpoint)
      expect([endpoint.id, statusCode]).toEqual([endpoint.id, 403])
    }
  })
})

test('the audit finds what should not be', async () => {
  const key = await keyOf({ budget: { total: '2000000' } })
  const job = await hired(key)
  await world.whileWorking(payDirectly(key, job.jobId))
  const failing = async (): Promise<string[]> => {
    const found = await checkInvariants({ db: world.db, chain: world.chain }, budgetInvariants)
    return found.map(({ invariant }) => invariant)
  }
  const budget = sql`(select budget_id from budget_jobs where job_id = ${job.jobId})`
  await world.db.run(sql`update budgets set total_micro = 999999 where id = ${budget}`)
  expect(await failing()).toEqual(['K2'])
  await world.db.run(sql`update budgets set total_micro = 2000000 where id = ${budget}`)
  const { paidAt } = await world.db.one<{ paidAt: Date }>(
    sql`select paid_at from jobs where id = ${job.jobId}`,
  )
  await world.db.run(sql`update jobs set paid_at = null where id = ${job.jobId}`)
  expect(await failing()).toEqual(['K1'])
  await world.db.run(sql`update jobs set paid_at = ${paidAt} where id = ${job.jobId}`)
  expect(await failing()).toEqual([])
})
