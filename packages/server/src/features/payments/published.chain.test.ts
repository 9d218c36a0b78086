import { prepareTransfer, usdcAbi } from '@agent-marketplace/chain'
import { encodeFunctionData } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { Hex } from '../../ports/chain/port.ts'
import { createJobCalls, type JobCalls } from '../jobs/testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../jobs/testing/start-jobs.ts'

/** Our transaction failed, but everybody has seen the authorization in it, and it is good until it ends. */

const PRICE = 4_000_000n
let world: TestJobs
let calls: JobCalls
let agent: TestAgent
let stranger: TestOwner

beforeAll(async () => {
  world = await startJobs({ settlementWaitMs: 50 })
  calls = createJobCalls(world)
  agent = await world.newAgent(await world.newOwner())
  stranger = await world.newOwner()
  await world.give(stranger.wallet.address, PRICE)
})
afterAll(() => world.close())
afterEach(async () => {
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

const usdc = () => world.chain.facts.contracts.usdc as Hex
const pay = (client: TestOwner, jobId: string, header: Record<string, string> = {}) =>
  calls.send(client, `/api/jobs/${jobId}/pay`, undefined, header)

/** The payer's money leaves between our trial and the block, and comes back after our transaction has failed. */
async function failedPayment() {
  const client = await world.newOwner()
  const { address } = client.wallet
  await world.give(address, PRICE)
  const { jobId } = await calls.hire(client, agent, PRICE.toString())
  const header = await calls.x402Header(client.wallet, await pay(client, jobId))
  world.chaos.setWeather('forgotten')
  expect((await pay(client, jobId, header)).statusCode).toBe(202)
  await world.engine.runOnce()
  world.chaos.setWeather('fair')
  await world.execute(
    client.wallet,
    prepareTransfer({ usdc: usdc(), to: stranger.wallet.address, amountMicro: PRICE }),
  )
  await world.engine.runUntilIdle()
  const call = await world.db.one<{ to: Hex; data: Hex }>(sql`
    select t.call_to as "to", t.call_data as data from chain_transactions t join intents i on i.id = t.intent_id
    where i.kind = 'x402.settle' and i.status = 'REJECTED' order by i.seq desc limit 1`)
  await world.execute(stranger.wallet, prepareTransfer({ usdc: usdc(), to: address, amountMicro: PRICE }))
  return { client, jobId, header, call: { ...call, value: 0n } }
}

test('nothing else is requested while anybody may still carry it out; when somebody does, it has paid', async () => {
  const { client, jobId, header, call } = await failedPayment()
  for (const response of [await pay(client, jobId), await pay(client, jobId, header)]) {
    expect(response.statusCode).toBe(202)
    expect(response.headers).not.toHaveProperty('payment-required')
  }
  await world.execute(stranger.wallet, call)
  const response = await pay(client, jobId, header)
  expect(response.statusCode).toBe(200)
  expect((await calls.jobOf(client, jobId)).status).toBe('IN_PROGRESS')
  expect(await world.chain.usdc.balanceOf(client.wallet.address)).toBe(0n)
})

test('once it has ended, the job is free again', async () => {
  const { client, jobId, header } = await failedPayment()
  expect((await pay(client, jobId, header)).statusCode).toBe(202)
  expect((await calls.act(client, jobId, 'cancel')).statusCode).toBe(409)
  // The chain of this test is ahead of real time, so payers are given that much more.
  await world.advance(366 * 24 * 3600)
  await world.db.run(sql`update x402_payments set look_up_at = 'epoch' where status = 'PENDING'`)
  await world.tick('x402-look-ups')
  const refused = await pay(client, jobId, header)
  expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'INVALID_STATE'])
  expect((await calls.act(client, jobId, 'cancel')).statusCode).toBe(200)
  expect(await world.chain.usdc.balanceOf(client.wallet.address)).toBe(PRICE)
})

test('one without an end, as they were taken once, is ended by the payer on chain', async () => {
  const { client, jobId, header } = await failedPayment()
  const { nonce } = await world.db.one<{ nonce: Hex }>(sql`
    update x402_payments set valid_before = ${2n ** 256n - 1n}::numeric
    where reference = ${jobId} and status = 'PENDING' returning nonce`)
  const lookAgain = async () => {
    await world.db.run(sql`update x402_payments set look_up_at = 'epoch' where status = 'PENDING'`)
    await world.tick('x402-look-ups')
  }
  await world.advance(366 * 24 * 3600)
  await lookAgain()
  expect((await calls.act(client, jobId, 'cancel')).statusCode).toBe(409)

  const { usdc: token, chainId } = world.chain.facts
  const signature = await client.wallet.signTypedData({
    domain: { ...token, chainId, verifyingContract: usdc() },
    primaryType: 'CancelAuthorization',
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    message: { authorizer: client.wallet.address, nonce },
  })
  const data = encodeFunctionData({
    abi: usdcAbi,
    functionName: 'cancelAuthorization',
    args: [client.wallet.address, nonce, signature],
  })
  await world.execute(stranger.wallet, { to: usdc(), data, value: 0n })
  await lookAgain()
  const refused = await pay(client, jobId, header)
  expect(refused.statusCode).not.toBe(202)
  expect((await calls.act(client, jobId, 'cancel')).statusCode).toBe(200)
  expect(await world.chain.usdc.balanceOf(client.wallet.address)).toBe(PRICE)
})
