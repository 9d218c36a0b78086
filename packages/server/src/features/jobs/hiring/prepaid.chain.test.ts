import { QUOTE_LIFETIME_SECONDS } from '@agent-marketplace/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import type { JobCalls } from '../testing/job-calls.ts'
import { startDeal } from '../testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from '../testing/start-jobs.ts'

/** A quote, and the one call that hires and pays: what it makes, what it refuses, and that it never pays twice. */

const PRICE = 150_000_000n

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent

beforeAll(async () => {
  ;({ world, calls, client, seller, agent } = await startDeal())
  await world.give(client.wallet.address, 100n * PRICE)
})
afterAll(() => world.close())
afterEach(async () => {
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

const order = (more: object = {}) => ({
  agentId: agent.id,
  title: 'Reconcile October',
  description: 'All of it.',
  agreedPrice: PRICE.toString(),
  ...more,
})
const form = (version: 1 | 2) => ({ accept: `application/vnd.agent-marketplace.v${version}+json` })

async function quote(body: object = order(), owner = client) {
  const response = await calls.send(owner, '/api/jobs/quote', body)
  if (response.statusCode !== 200)
    throw new Error(`quoting returned ${response.statusCode}: ${response.body}`)
  return response.json().data
}

/** The body of a hire that pays. */
async function signedOrder(body: object = order(), owner = client) {
  const { reservation, paymentInfo } = await quote(body, owner)
  return { ...body, reservation, ...(await calls.sign(owner.wallet, paymentInfo.typedData)) }
}

const hire = (body: object, { owner = client, headers = {} } = {}) =>
  world.whileWorking(calls.send(owner, '/api/jobs', body, headers))

async function refusalOf(body: object, owner = client) {
  const response = await hire(body, { owner })
  const { error } = response.json()
  return [response.statusCode, error?.code, error?.details.issues?.[0]?.path]
}

const countOf = async (table: 'jobs' | 'intents' | 'notifications' | 'idempotency_keys') => {
  const tables = {
    jobs: sql`jobs`,
    intents: sql`intents`,
    notifications: sql`notifications`,
    idempotency_keys: sql`idempotency_keys`,
  }
  return (await world.db.one<{ count: number }>(sql`select count(*)::int as count from ${tables[table]}`))
    .count
}
const balanceOf = (owner: TestOwner) => world.chain.usdc.balanceOf(owner.wallet.address)
const invalid = (field: string) => [400, 'VALIDATION_ERROR', `/${field.replaceAll('.', '/')}`]

describe('a quote', () => {
  test('says price, rail, fee and what to sign, and writes nothing', async () => {
    const before = await Promise.all([countOf('jobs'), countOf('notifications'), countOf('idempotency_keys')])
    const response = await calls.send(client, '/api/jobs/quote', order({ deadlineHours: 72 }), {
      'idempotency-key': 'quote',
    })
    const now = world.clock.now().getTime()
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toMatchObject({
      reservation: expect.stringMatching(/^[\w-]{40,500}$/),
      paymentMethod: 'ESCROW',
      agreedPrice: '150000000',
      platformFee: '3000000',
      netAmount: '147000000',
      deadlineAt: new Date(now + 72 * 3_600_000).toISOString(),
      expiresAt: new Date(now + QUOTE_LIFETIME_SECONDS * 1000).toISOString(),
      paymentInfo: {
        method: 'escrow',
        typedData: { primaryType: 'ReceiveWithAuthorization', message: { from: client.wallet.address } },
      },
    })
    const after = await Promise.all([countOf('jobs'), countOf('notifications'), countOf('idempotency_keys')])
    expect(after).toEqual(before)
  })

  test('of an X402 job says what an x402 client signs, and one payment in one call is taken once', async () => {
    const body = order({ agreedPrice: '5000000' })
    const { reservation, paymentInfo, platformFee } = await quote(body)
    expect([platformFee, paymentInfo.method, paymentInfo.typedData]).toEqual(['0', 'x402', undefined])
    expect(paymentInfo.requirements).toMatchObject({
      scheme: 'exact',
      amount: '5000000',
      payTo: agent.wallet,
    })
    const header = await calls.x402HeaderFor(client.wallet, paymentInfo.requirements)
    const before = await balanceOf(client)
    const responses = await world.whileWorking(
      Promise.all(
        Array.from({ length: 5 }, () => calls.send(client, '/api/jobs', { ...body, reservation }, header)),
      ),
    )
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(201))
    expect(new Set(responses.map((response) => response.json().data.jobId)).size).toBe(1)
    expect(responses.map((response) => response.json().data.status)).toEqual(Array(5).fill('IN_PROGRESS'))
    expect(before - (await balanceOf(client))).toBe(5_000_000n)
  })

  test('is refused where the job would be', async () => {
    const refused = async (body: object, owner = client) => {
      const response = await calls.send(owner, '/api/jobs/quote', body)
      return [response.statusCode, response.json().error.code]
    }
    expect(await refused(order({ agreedPrice: '0' }))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await refused(order({ deadline: '2020-01-01T00:00:00.000Z' }))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await refused(order({ agentId: 'cmi0a1b2c3d4e5f6g7h8i9j0k' }))).toEqual([404, 'NOT_FOUND'])
    const paused = await world.newAgent(seller, { pausedBy: 'OWNER' })
    expect(await refused(order({ agentId: paused.id }))).toEqual([409, 'INVALID_STATE'])
    const suspended = await world.newOwner({ accountStatus: 'SUSPENDED' })
    expect(await refused(order(), suspended)).toEqual([403, 'FORBIDDEN'])
  })
})

describe('one call hires and pays', () => {
  test.each([
    ['a deadline in hours', () => order({ deadlineHours: 72 })],
    [
      'a deadline and attachments',
      () =>
        order({ deadline: new Date(world.clock.now().getTime() + 7_200_500).toISOString(), attachments: [] }),
    ],
    ['no deadline', () => order()],
  ])('with %s, also some time after the quote', async (_what, bodyOf) => {
    const body = await signedOrder(bodyOf())
    const before = await balanceOf(client)
    await world.advance(600)
    const response = await hire(body)
    expect(response.statusCode).toBe(201)
    const { data } = response.json()
    expect(data).toMatchObject({
      status: 'IN_PROGRESS',
      paymentMethod: 'ESCROW',
      agreedPriceUsdc: '150.00',
      job: { id: data.jobId, status: 'IN_PROGRESS', platformFee: '3000000' },
      paymentInfo: { method: 'escrow', message: 'The job is paid.' },
    })
    expect(data.paymentInfo.typedData).toBeUndefined()
    expect(before - (await balanceOf(client))).toBe(PRICE)
    const job = await calls.jobOf(client, data.jobId)
    expect(job).toMatchObject({ status: 'IN_PROGRESS', escrowState: 'FUNDED', paymentInfo: null })
    expect(job.timeline.map(({ type }: { type: string }) => type)).toEqual(['JOB_CREATED', 'JOB_FUNDED'])
    const told = await world.db.rows(sql`
      select type from notifications where owner_id = ${seller.ownerId} and link = ${`/jobs/${data.jobId}`} order by seq`)
    expect(told).toEqual([{ type: 'JOB_CREATED' }, { type: 'JOB_FUNDED' }])
  })

  test('in each form alone', async () => {
    const a = await hire(await signedOrder(), { headers: form(1) })
    expect(a.json().data).toMatchObject({ status: 'IN_PROGRESS', agreedPriceUsdc: '150.00' })
    const b = await hire(await signedOrder(), { headers: form(2) })
    expect(b.json().data).toMatchObject({ job: { status: 'IN_PROGRESS' } })
  })

  test.each([
    ['without a key', () => ({})],
    ['with one Idempotency-Key', () => ({ 'idempotency-key': 'prepaid' })],
    ['with a key each', (index: number) => ({ 'idempotency-key': `prepaid-${index}` })],
  ])('twenty at once make one job and one payment, %s; so does a later repeat', async (_how, keyOf) => {
    const body = await signedOrder()
    const before = await balanceOf(client)
    const jobsBefore = await countOf('jobs')
    const responses = await world.whileWorking(
      Promise.all(Array.from({ length: 20 }, (_, i) => calls.send(client, '/api/jobs', body, keyOf(i)))),
    )
    responses.push(await hire(body, { headers: keyOf(0) }))
    const seen = responses.map((response) => `${response.statusCode} ${response.json().data?.status}`)
    expect(seen).toEqual(Array(21).fill('201 IN_PROGRESS'))
    expect(new Set(responses.map((response) => response.json().data.jobId)).size).toBe(1)
    expect((await countOf('jobs')) - jobsBefore).toBe(1)
    expect(before - (await balanceOf(client))).toBe(PRICE)
    const { jobId } = responses[0]?.json().data ?? {}
    const deposits = await world.db.rows(sql`
      select 1 from intents where kind = 'escrow.deposit' and payload ->> 'jobId' = ${jobId}`)
    expect(deposits).toHaveLength(1)
    const changed = await hire({ ...body, title: 'Other' }, { headers: keyOf(0) })
    expect(changed.statusCode).toBe(400)
  })

  test('a reservation without a payment makes the job that waits for one, once', async () => {
    const { reservation, paymentInfo } = await quote()
    const signed = await calls.sign(client.wallet, paymentInfo.typedData)
    const first = await hire({ ...order(), reservation })
    expect([first.statusCode, first.json().data.status]).toEqual([201, 'PENDING'])
    const { jobId } = first.json().data
    const again = await hire({ ...order(), reservation })
    expect([again.statusCode, again.json().data.jobId]).toEqual([201, jobId])
    const paid = await hire({ ...order(), reservation, ...signed })
    expect([paid.json().data.jobId, paid.json().data.status]).toEqual([jobId, 'IN_PROGRESS'])
  })
})

describe('refused, with nothing left behind', () => {
  let before: number[]
  const counts = () => Promise.all([countOf('jobs'), countOf('intents'), countOf('notifications')])
  const unchanged = async () => expect(await counts()).toEqual(before)

  test('a reservation for anything else than what was quoted, or of somebody else', async () => {
    const body = await signedOrder(order({ deadlineHours: 72 }))
    const other = await world.newAgent(seller)
    const stranger = await world.newOwner()
    before = await counts()
    for (const changed of [
      { ...body, agreedPrice: '150000001' },
      { ...body, agentId: other.id },
      { ...body, deadlineHours: 73 },
      { ...body, title: 'Reconcile November' },
      { ...body, attachments: ['ipfs://bafkreigh2akiscai'] },
      { ...body, reservation: `${body.reservation.slice(0, -2)}xx` },
      { ...body, reservation: 'nonsense' },
      { ...body, deadlineHours: undefined },
    ]) {
      expect(await refusalOf(changed)).toEqual(invalid('reservation'))
    }
    expect(await refusalOf(body, stranger)).toEqual(invalid('reservation'))
    // A cursor of the list of jobs is signed alike, and is no reservation.
    const { nextCursor } = (await calls.get(client, '/api/jobs?limit=1')).json()
    expect(await refusalOf({ ...body, reservation: nextCursor })).toEqual(invalid('reservation'))
    expect((await calls.get(client, `/api/jobs?cursor=${body.reservation}`)).statusCode).toBe(400)
    await unchanged()
    expect((await hire(body)).statusCode).toBe(201)
  })

  test('a reservation that has expired, by its time or by its deadline', async () => {
    const body = await signedOrder()
    const hurried = await signedOrder(
      order({ deadline: new Date(world.clock.now().getTime() + 60_000).toISOString() }),
    )
    const taken = await signedOrder()
    const { jobId } = (await hire(taken)).json().data
    before = await counts()
    await world.advance(61)
    expect(await refusalOf(hurried)).toEqual(invalid('reservation'))
    await world.advance(QUOTE_LIFETIME_SECONDS)
    expect(await refusalOf(body)).toEqual(invalid('reservation'))
    await unchanged()
    // What was created in time is still returned.
    expect((await hire(taken)).json().data).toMatchObject({ jobId, status: 'IN_PROGRESS' })
  })

  test('a payment that is incomplete, without its reservation, or for another rail', async () => {
    const { reservation, authorization, signature, ...plain } = await signedOrder()
    before = await counts()
    expect(await refusalOf({ ...plain, authorization, signature })).toEqual(invalid('reservation'))
    expect(await refusalOf({ ...plain, reservation, authorization })).toEqual(invalid('signature'))
    expect(await refusalOf({ ...plain, reservation, signature })).toEqual(invalid('authorization'))
    const cheap = order({ agreedPrice: '5000000' })
    const { reservation: other } = await quote(cheap)
    const mixed = { ...cheap, reservation: other, authorization, signature }
    expect(await refusalOf(mixed)).toEqual(invalid('authorization'))
    await unchanged()
  })

  test('a deposit that the escrow would refuse: wrong fields, signature, time or balance', async () => {
    const body = await signedOrder()
    const poor = await world.newOwner()
    const unfunded = await signedOrder(order(), poor)
    const { reservation, paymentInfo } = await quote()
    const forged = await calls.sign(poor.wallet, paymentInfo.typedData)
    const past = await calls.sign(client.wallet, {
      ...paymentInfo.typedData,
      message: { ...paymentInfo.typedData.message, validBefore: '1000' },
    })
    before = await counts()
    for (const [field, value] of Object.entries({
      from: seller.wallet.address,
      to: seller.wallet.address,
      value: '149999999',
      nonce: `0x${'00'.repeat(32)}`,
    })) {
      const authorization = { ...body.authorization, [field]: value }
      expect(await refusalOf({ ...body, authorization })).toEqual(invalid(`authorization.${field}`))
    }
    expect(await refusalOf({ ...order(), reservation, ...forged })).toEqual(invalid('signature'))
    expect(await refusalOf({ ...order(), reservation, ...past })).toEqual(
      invalid('authorization.validBefore'),
    )
    const key = { 'idempotency-key': 'poor' }
    const refused = await hire(unfunded, { owner: poor, headers: key })
    expect([refused.statusCode, refused.json().error]).toMatchObject([
      422,
      { code: 'INSUFFICIENT_BALANCE', details: { available: '0', required: '150000000' } },
    ])
    await unchanged()
    await world.give(poor.wallet.address, PRICE)
    const paid = await hire(unfunded, { owner: poor, headers: key })
    expect([paid.statusCode, paid.json().data.status]).toEqual([201, 'IN_PROGRESS'])
  })

  test('an agent that can no longer be hired', async () => {
    const fickle = await world.newAgent(seller)
    const body = await signedOrder(order({ agentId: fickle.id }))
    await world.db.run(sql`update agents set paused_by = 'OWNER' where id = ${fickle.id}`)
    before = await counts()
    expect(await refusalOf(body)).toEqual([409, 'INVALID_STATE', undefined])
    await unchanged()
  })
})

describe('after the job is there', () => {
  test('money that leaves after the check leaves the job waiting, with the reason; the same call pays later', async () => {
    const owner = await world.newOwner()
    await world.give(owner.wallet.address, PRICE)
    const bodies = [await signedOrder(order(), owner), await signedOrder(order(), owner)]
    // Both are found payable, but the money is there once.
    const responses = await world.whileWorking(
      Promise.all(bodies.map((body) => calls.send(owner, '/api/jobs', body))),
    )
    const opened = responses.map((response) => response.json().data)
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([201, 201])
    expect(opened.map(({ status }) => status).toSorted()).toEqual(['IN_PROGRESS', 'PENDING'])
    const index = opened.findIndex(({ status }) => status === 'PENDING')
    const { jobId, paymentInfo } = opened[index]
    expect(paymentInfo.message).toMatch(/does not hold enough USDC/)
    expect(paymentInfo.typedData.message.nonce).toBe(bodies[index]?.authorization.nonce)
    expect((await calls.jobOf(owner, jobId)).timeline.at(-1).type).toBe('PAYMENT_REFUSED')
    await world.give(owner.wallet.address, PRICE)
    const again = await hire(bodies[index] ?? {}, { owner })
    expect(again.json().data).toMatchObject({ jobId, status: 'IN_PROGRESS' })
    expect(await balanceOf(owner)).toBe(0n)
  })

  test('another signature for a job that is paid is refused, and changes nothing', async () => {
    const body = await signedOrder()
    const { jobId } = (await hire(body)).json().data
    expect(await refusalOf({ ...body, signature: '0x12' })).toEqual([409, 'INVALID_STATE', undefined])
    const authorization = { ...body.authorization, value: '1' }
    expect(await refusalOf({ ...body, authorization })).toEqual(invalid('authorization.value'))
    expect((await calls.jobOf(client, jobId)).status).toBe('IN_PROGRESS')
  })

  test('409 for one that was cancelled meanwhile', async () => {
    const { reservation, paymentInfo } = await quote()
    const signed = await calls.sign(client.wallet, paymentInfo.typedData)
    const { jobId } = (await hire({ ...order(), reservation })).json().data
    await calls.act(client, jobId, 'cancel')
    const response = await hire({ ...order(), reservation, ...signed })
    expect([response.statusCode, response.json().error.details.status]).toEqual([409, 'CANCELLED'])
  })
})
