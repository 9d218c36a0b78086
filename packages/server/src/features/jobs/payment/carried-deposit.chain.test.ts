import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { createJobCalls, type JobCalls } from '../testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../testing/start-jobs.ts'

/** A stranger who has seen the client's signature sends it before us. The job is funded all the same. */

const PRICE = '150000000'
let world: TestJobs
let calls: JobCalls
let client: TestOwner
let stranger: TestOwner
let agent: TestAgent

beforeAll(async () => {
  world = await startJobs()
  calls = createJobCalls(world)
  client = await world.newOwner()
  stranger = await world.newOwner()
  agent = await world.newAgent(await world.newOwner())
  await world.give(stranger.wallet.address, 1n)
})
afterAll(() => world.close())
afterEach(async () => {
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

type Signed = Awaited<ReturnType<JobCalls['sign']>>

async function carry(
  { signature, authorization }: Signed,
  { jobId, deadline = 0 }: { jobId: string; deadline?: number },
) {
  const { checksumAddress, escrow } = world.chain
  const { validAfter, validBefore } = authorization as { validAfter: string; validBefore: string }
  const terms = {
    jobRef: escrow.refOf(jobId),
    client: client.wallet.address,
    seller: agent.owner.wallet.address,
    agentWallet: checksumAddress(agent.wallet),
    amountMicro: BigInt(PRICE),
    deadline,
  }
  const deposit = { terms, validAfter: BigInt(validAfter), validBefore: BigInt(validBefore), signature }
  await world.execute(stranger.wallet, escrow.depositWithAuthorization(deposit))
}

async function signedJob(): Promise<{ jobId: string; signed: Signed }> {
  await world.give(client.wallet.address, BigInt(PRICE))
  const { jobId, paymentInfo } = await calls.hire(client, agent, PRICE)
  return { jobId, signed: await calls.sign(client.wallet, paymentInfo.typedData) }
}

const refusalsOf = (jobId: string) =>
  world.db.rows(sql`select 1 from job_events where job_id = ${jobId} and type = 'PAYMENT_REFUSED'`)

test('before the call, and read already or not: the payment is a 200', async () => {
  for (const isRead of [false, true]) {
    const { jobId, signed } = await signedJob()
    await carry(signed, { jobId })
    if (isRead) await world.engine.runUntilIdle()
    const paid = await world.whileWorking(calls.act(client, jobId, 'pay', signed))
    expect([paid.statusCode, paid.json().data?.status], paid.body).toEqual([200, 'IN_PROGRESS'])
  }
})

test('between the order and the chain: the payment is a 200, and nobody hears of a refusal', async () => {
  const { jobId, signed } = await signedJob()
  const paying = calls.act(client, jobId, 'pay', signed)
  const isOrdered = async () =>
    (await world.db.rows(sql`select 1 from intents where payload ->> 'jobId' = ${jobId}`)).length > 0
  while (!(await isOrdered())) await new Promise((resolve) => setImmediate(resolve))
  await carry(signed, { jobId })
  const paid = await world.whileWorking(paying)
  expect([paid.statusCode, paid.json().data?.status], paid.body).toEqual([200, 'IN_PROGRESS'])
  expect(await refusalsOf(jobId)).toEqual([])
})

test('before the call that hires and pays, and read already or not: the job is made and funded', async () => {
  for (const isRead of [false, true]) {
    await world.give(client.wallet.address, BigInt(PRICE))
    const body = { agentId: agent.id, title: 'Reconcile', description: 'All of it.', agreedPrice: PRICE }
    const quote = (await calls.send(client, '/api/jobs/quote', body)).json().data
    const signed = await calls.sign(client.wallet, quote.paymentInfo.typedData)
    const id = idReservedBy(quote.reservation)
    await carry(signed, { jobId: id })
    if (isRead) await world.engine.runUntilIdle()
    const hired = await world.whileWorking(
      calls.send(client, '/api/jobs', { ...body, reservation: quote.reservation, ...signed }),
    )
    expect([hired.statusCode, hired.json().data?.status], hired.body).toEqual([201, 'IN_PROGRESS'])
    expect(await calls.jobOf(client, id)).toMatchObject({ status: 'IN_PROGRESS', escrowState: 'FUNDED' })
  }
})

test('before the call that hires and pays, and its file was used elsewhere: the job is made and funded without it', async () => {
  await world.give(client.wallet.address, BigInt(PRICE))
  const headers = client.headers
  const upload = await world.http.inject({
    method: 'PUT',
    url: '/api/uploads/a.csv',
    headers,
    payload: 'a,b',
  })
  const files = [upload.json().data.id]
  const order = {
    agentId: agent.id,
    title: 'Reconcile',
    description: 'All of it.',
    agreedPrice: PRICE,
    files,
  }
  const { reservation, paymentInfo } = (await calls.send(client, '/api/jobs/quote', order)).json().data
  const signed = await calls.sign(client.wallet, paymentInfo.typedData)
  await carry(signed, { jobId: idReservedBy(reservation) })
  await calls.hire(client, agent, '5000000', { files })
  const hired = await world.whileWorking(
    calls.send(client, '/api/jobs', { ...order, reservation, ...signed }),
  )
  expect([hired.statusCode, hired.json().data?.status], hired.body).toEqual([201, 'IN_PROGRESS'])
  expect((await calls.jobOf(client, hired.json().data.jobId)).files).toEqual([])
})

/** A stranger who carries a deposit has seen the whole call, and so the job's reference in it. */
function idReservedBy(reservation: string): string {
  const SIGNATURE_BYTES = 16
  return JSON.parse(Buffer.from(reservation, 'base64url').subarray(SIGNATURE_BYTES).toString()).id
}
