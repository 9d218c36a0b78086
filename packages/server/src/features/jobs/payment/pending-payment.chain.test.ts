import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJobCalls, type JobCalls } from '../testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../testing/start-jobs.ts'

/** A settlement that takes longer than a caller waits: 202, and never a second charge. */

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let agent: TestAgent

beforeAll(async () => {
  world = await startJobs({ settlementWaitMs: 0 })
  calls = createJobCalls(world)
  client = await world.newOwner()
  agent = await world.newAgent(await world.newOwner())
})
afterAll(() => world.close())

test('ESCROW: 202 while it is pending, also when asked again; 200 once it is there', async () => {
  await world.give(client.wallet.address, 300_000_000n)
  const { jobId, paymentInfo } = await calls.hire(client, agent, '100000000')
  const signed = await calls.sign(client.wallet, paymentInfo.typedData)
  for (let round = 0; round < 2; round += 1) {
    const pending = await calls.act(client, jobId, 'pay', signed)
    expect([pending.statusCode, pending.json().data.status]).toEqual([202, 'PENDING'])
  }
  expect((await calls.act(client, jobId, 'cancel')).statusCode).toBe(409)
  await world.advance(25 * 3600)
  await world.runTicks()
  expect((await calls.jobOf(client, jobId)).status).toBe('PENDING')
  await world.engine.runUntilIdle()
  // The signature was good until the job had to be paid, which it was not: the chain refuses it, and the job may expire.
  expect((await calls.jobOf(client, jobId)).timeline.at(-1).type).toBe('PAYMENT_REFUSED')
  await world.runTicks()
  expect((await calls.jobOf(client, jobId)).status).toBe('CANCELLED')
  expect(await world.chain.usdc.balanceOf(client.wallet.address)).toBe(300_000_000n)
})

test('ESCROW: what was pending is paid once when the chain takes it', async () => {
  const before = await world.chain.usdc.balanceOf(client.wallet.address)
  const { jobId, paymentInfo } = await calls.hire(client, agent, '100000000')
  const signed = await calls.sign(client.wallet, paymentInfo.typedData)
  expect((await calls.act(client, jobId, 'pay', signed)).statusCode).toBe(202)
  await world.engine.runUntilIdle()
  const paid = await calls.act(client, jobId, 'pay', signed)
  expect([paid.statusCode, paid.json().data.status]).toEqual([200, 'IN_PROGRESS'])
  expect(before - (await world.chain.usdc.balanceOf(client.wallet.address))).toBe(100_000_000n)
})

test('X402: 202 while it is under way, and no second challenge', async () => {
  const { jobId } = await calls.hire(client, agent, '5000000')
  const header = await calls.x402Header(client.wallet, await calls.act(client, jobId, 'pay'))
  const url = `/api/jobs/${jobId}/pay`
  expect((await calls.send(client, url, undefined, header)).statusCode).toBe(202)
  expect((await calls.act(client, jobId, 'pay')).statusCode).toBe(202)
  expect((await calls.act(client, jobId, 'cancel')).statusCode).toBe(409)
  await world.engine.runUntilIdle()
  expect((await calls.jobOf(client, jobId)).status).toBe('IN_PROGRESS')
  expect((await calls.send(client, url, undefined, header)).statusCode).toBe(200)
})

test('one call that hires and pays: 202 while it is under way, however often it is sent; 201 once it is there', async () => {
  const owner = await world.newOwner()
  await world.give(owner.wallet.address, 300_000_000n)
  const order = { agentId: agent.id, title: 'Work', description: 'Work.', agreedPrice: '100000000' }
  const { reservation, paymentInfo } = (await calls.send(owner, '/api/jobs/quote', order)).json().data
  const body = { ...order, reservation, ...(await calls.sign(owner.wallet, paymentInfo.typedData)) }
  const cheap = { ...order, agreedPrice: '5000000' }
  const quoted = (await calls.send(owner, '/api/jobs/quote', cheap)).json().data
  const header = await calls.x402HeaderFor(owner.wallet, quoted.paymentInfo.requirements)
  const sendBoth = () =>
    Promise.all([
      calls.send(owner, '/api/jobs', body),
      calls.send(owner, '/api/jobs', { ...cheap, reservation: quoted.reservation }, header),
    ])
  for (let round = 0; round < 2; round += 1) {
    for (const pending of await sendBoth()) {
      const { status, paymentInfo: info } = pending.json().data
      expect([pending.statusCode, status, info.typedData]).toEqual([202, 'PENDING', undefined])
      expect(info.message).toMatch(/do not pay again/)
    }
  }
  await world.engine.runUntilIdle()
  for (const paid of await sendBoth()) {
    expect([paid.statusCode, paid.json().data.status]).toEqual([201, 'IN_PROGRESS'])
  }
  expect(await world.chain.usdc.balanceOf(owner.wallet.address)).toBe(195_000_000n)
})
