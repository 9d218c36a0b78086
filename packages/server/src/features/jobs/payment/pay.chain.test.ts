import { decodePaymentResponseHeader } from '@x402/core/http'
import { serializeErc6492Signature } from 'viem'
import { toCoinbaseSmartAccount } from 'viem/account-abstraction'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { newWallet } from '../../../testing/sign-in.ts'
import type { JobCalls } from '../testing/job-calls.ts'
import { startDeal } from '../testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from '../testing/start-jobs.ts'

/** Paying, on both rails: what is refused, what is repeated, and what happens at the same time. */

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent

beforeAll(async () => {
  ;({ world, calls, client, seller, agent } = await startDeal())
})
afterAll(() => world.close())
afterEach(async () => {
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

const balanceOf = (wallet: string) => world.chain.usdc.balanceOf(wallet)

describe('ESCROW', () => {
  const PRICE = 150_000_000n

  async function signedJob() {
    const { jobId, paymentInfo } = await calls.hire(client, agent, PRICE.toString())
    const signed = await calls.sign(client.wallet, paymentInfo.typedData)
    return { jobId: jobId as string, signed, typedData: paymentInfo.typedData }
  }

  const refusalOf = async (jobId: string, given: object) => {
    const response = await calls.act(client, jobId, 'pay', given)
    const { code, details } = response.json().error
    return [response.statusCode, code, details.issues?.[0]?.path]
  }

  test('each wrong field is named, and nothing is ordered', async () => {
    await world.give(client.wallet.address, PRICE)
    const { jobId, signed, typedData } = await signedJob()
    const { jobId: otherId } = await signedJob()
    const invalid = (field: string) => [400, 'VALIDATION_ERROR', `/${field.replaceAll('.', '/')}`]
    for (const [field, value] of Object.entries({
      from: seller.wallet.address,
      to: seller.wallet.address,
      value: '149999999',
      nonce: `0x${'00'.repeat(32)}`,
    })) {
      const authorization = { ...signed.authorization, [field]: value }
      expect(await refusalOf(jobId, { ...signed, authorization })).toEqual(invalid(`authorization.${field}`))
    }
    expect(await refusalOf(otherId, signed)).toEqual(invalid('authorization.nonce'))
    expect(await refusalOf(jobId, {})).toEqual(invalid('authorization'))
    expect(await refusalOf(jobId, { ...signed, txHash: `0x${'00'.repeat(32)}` })).toEqual(
      invalid('authorization'),
    )
    const stranger = await world.newOwner()
    const forged = { ...signed, ...(await calls.sign(stranger.wallet, typedData)) }
    expect(await refusalOf(jobId, forged)).toEqual(invalid('signature'))
    const past = await calls.sign(client.wallet, {
      ...typedData,
      message: { ...typedData.message, validBefore: '1000' },
    })
    expect(await refusalOf(jobId, past)).toEqual(invalid('authorization.validBefore'))
    const endless = await calls.sign(client.wallet, {
      ...typedData,
      message: { ...typedData.message, validBefore: (2n ** 256n - 1n).toString() },
    })
    expect(await refusalOf(jobId, endless)).toEqual(invalid('authorization.validBefore'))
    for (const field of ['validAfter', 'validBefore']) {
      const authorization = { ...signed.authorization, [field]: '9'.repeat(78) }
      expect(await refusalOf(jobId, { ...signed, authorization })).toEqual(invalid(`authorization.${field}`))
    }
    for (const signature of ['0x123', '0x12', `${signed.signature}00`, `0x${'00'.repeat(65)}`]) {
      expect(await refusalOf(jobId, { ...signed, signature }), signature).toEqual(invalid('signature'))
    }
    expect(await world.db.rows(sql`select 1 from intents where payload ->> 'jobId' = ${jobId}`)).toEqual([])
    await calls.act(client, jobId, 'cancel')
  })

  test('a smart account pays by its own signature, before it is deployed (ERC-6492) and after (ERC-1271)', async () => {
    const key = newWallet()
    const { spendPermissionManager } = world.chaos.addresses
    const account = await toCoinbaseSmartAccount({
      client: world.chaos.client,
      owners: [key, spendPermissionManager],
      version: '1.1',
    })
    await world.give(account.address, 2n * PRICE)
    const owner = await world.newOwner({ address: account.address })
    const pay = async () => {
      const { jobId, paymentInfo } = await calls.hire(owner, agent, PRICE.toString())
      const signature = await account.signTypedData(paymentInfo.typedData)
      const given = { authorization: paymentInfo.typedData.message, signature }
      return world.whileWorking(calls.act(owner, jobId, 'pay', given))
    }
    expect(await account.isDeployed()).toBe(false)
    const first = await pay()
    expect([first.statusCode, first.json().data?.status]).toEqual([200, 'IN_PROGRESS'])
    expect(await account.isDeployed()).toBe(true)
    const second = await pay()
    expect([second.statusCode, second.json().data?.status]).toEqual([200, 'IN_PROGRESS'])
    expect(await balanceOf(account.address)).toBe(0n)
  })

  test('a deposit does not deploy the wallet of somebody else', async () => {
    const { client, addresses } = world.chaos
    const stranger = await toCoinbaseSmartAccount({
      client,
      owners: [newWallet(), addresses.spendPermissionManager],
      version: '1.1',
    })
    const { factory, factoryData } = await stranger.getFactoryArgs()
    if (!factory || !factoryData) throw new Error('the stranger has a wallet already')
    const owner = await world.newOwner()
    await world.give(owner.wallet.address, PRICE)
    const { jobId, paymentInfo } = await calls.hire(owner, agent, PRICE.toString())
    const { authorization, signature } = await calls.sign(owner.wallet, paymentInfo.typedData)
    const wrapped = serializeErc6492Signature({ address: factory, data: factoryData, signature })
    const refused = await world.whileWorking(
      calls.act(owner, jobId, 'pay', { authorization, signature: wrapped }),
    )
    expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(await stranger.isDeployed()).toBe(false)
    const paid = await world.whileWorking(calls.act(owner, jobId, 'pay', { authorization, signature }))
    expect([paid.statusCode, paid.json().data.status]).toEqual([200, 'IN_PROGRESS'])
  })

  test('without the money it says what is there and what is missing, and can be tried again', async () => {
    const poor = await world.newOwner()
    const { jobId, paymentInfo } = await calls.hire(poor, agent, PRICE.toString())
    await world.give(poor.wallet.address, 7n)
    const signed = await calls.sign(poor.wallet, paymentInfo.typedData)
    const refused = await calls.act(poor, jobId, 'pay', signed)
    expect([refused.statusCode, refused.json().error]).toMatchObject([
      422,
      { code: 'INSUFFICIENT_BALANCE', details: { available: '7', required: '150000000' } },
    ])
    await world.give(poor.wallet.address, PRICE)
    const paid = await world.whileWorking(calls.act(poor, jobId, 'pay', signed))
    expect([paid.statusCode, paid.json().data.status]).toEqual([200, 'IN_PROGRESS'])
  })

  test('money that leaves after the check: the deposit is refused on chain, the job waits, and may be paid later', async () => {
    const owner = await world.newOwner()
    await world.give(owner.wallet.address, PRICE)
    const { jobId, paymentInfo } = await calls.hire(owner, agent, PRICE.toString())
    const other = await calls.hire(owner, agent, PRICE.toString())
    const signed = await calls.sign(owner.wallet, paymentInfo.typedData)
    const signedToo = await calls.sign(owner.wallet, other.paymentInfo.typedData)
    // Both are found payable, but the money is there once.
    const responses = await world.whileWorking(
      Promise.all([calls.act(owner, jobId, 'pay', signed), calls.act(owner, other.jobId, 'pay', signedToo)]),
    )
    expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 422])
    await world.give(owner.wallet.address, PRICE)
    const again = await world.whileWorking(
      Promise.all([calls.act(owner, jobId, 'pay', signed), calls.act(owner, other.jobId, 'pay', signedToo)]),
    )
    expect(again.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await balanceOf(owner.wallet.address)).toBe(0n)
  })

  test('twenty at once pay once, and all get that response; so does a later repeat', async () => {
    const owner = await world.newOwner()
    await world.give(owner.wallet.address, 10n * PRICE)
    const { jobId, paymentInfo } = await calls.hire(owner, agent, PRICE.toString())
    const signed = await calls.sign(owner.wallet, paymentInfo.typedData)
    const responses = await world.whileWorking(
      Promise.all(Array.from({ length: 20 }, () => calls.act(owner, jobId, 'pay', signed))),
    )
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect((await calls.act(owner, jobId, 'pay', signed)).statusCode).toBe(200)
    expect(await balanceOf(owner.wallet.address)).toBe(9n * PRICE)
    const intents = await world.db.rows(
      sql`select status from intents where payload ->> 'jobId' = ${jobId} and kind = 'escrow.deposit'`,
    )
    expect(intents).toEqual([{ status: 'SETTLED' }])
  })

  test('paying and cancelling at once: one of them, never both', async () => {
    const owner = await world.newOwner()
    for (let round = 0; round < 5; round += 1) {
      await world.give(owner.wallet.address, PRICE)
      const before = await balanceOf(owner.wallet.address)
      const { jobId, paymentInfo } = await calls.hire(owner, agent, PRICE.toString())
      const signed = await calls.sign(owner.wallet, paymentInfo.typedData)
      const [paid, cancelled, declined] = await world.whileWorking(
        Promise.all([
          calls.act(owner, jobId, 'pay', signed),
          calls.act(owner, jobId, 'cancel'),
          calls.act(seller, jobId, 'decline'),
        ]),
      )
      const { status } = await calls.jobOf(owner, jobId)
      const won = [paid, cancelled, declined].filter(({ statusCode }) => statusCode === 200)
      expect(won).toHaveLength(1)
      expect(status).toBe(paid.statusCode === 200 ? 'IN_PROGRESS' : 'CANCELLED')
      const spent = before - (await balanceOf(owner.wallet.address))
      expect(spent).toBe(paid.statusCode === 200 ? PRICE : 0n)
    }
  })
})

describe('X402', () => {
  const PRICE = 5_000_000n

  test('a challenge, a payment straight to the agent, and a delivery that completes', async () => {
    const owner = await world.newOwner()
    await world.give(owner.wallet.address, PRICE)
    const agentBefore = await balanceOf(agent.wallet)
    const { jobId } = await calls.hire(owner, agent, PRICE.toString())
    const asked = await calls.act(owner, jobId, 'pay')
    expect([asked.statusCode, asked.json().error.code]).toEqual([402, 'PAYMENT_REQUIRED'])
    const header = await calls.x402Header(owner.wallet, asked)
    const url = `/api/jobs/${jobId}/pay`
    const responses = await world.whileWorking(
      Promise.all(Array.from({ length: 20 }, () => calls.send(owner, url, undefined, header))),
    )
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    const receipts = responses.map(({ headers }) =>
      decodePaymentResponseHeader(String(headers['payment-response'])),
    )
    for (const receipt of receipts)
      expect(receipt).toMatchObject({
        success: true,
        payer: owner.wallet.address,
        amount: PRICE.toString(),
        transaction: receipts[0]?.transaction,
      })
    expect(await balanceOf(owner.wallet.address)).toBe(0n)
    expect((await balanceOf(agent.wallet)) - agentBefore).toBe(PRICE)

    const job = await calls.jobOf(seller, jobId)
    expect(job).toMatchObject({ status: 'IN_PROGRESS', escrowState: null })
    expect(job.timeline.at(-1)).toMatchObject({ type: 'JOB_FUNDED', txHash: expect.stringMatching(/^0x/) })
    const replay = await world.whileWorking(calls.send(owner, url, undefined, header))
    expect(replay.statusCode).toBe(200)
    expect((await calls.act(owner, jobId, 'pay')).statusCode).toBe(409)

    const delivered = await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
    expect(delivered.json().data).toMatchObject({ status: 'COMPLETED', reviewEndsAt: null })
    expect(await world.agentRow(agent.wallet)).toMatchObject({ completedJobs: 1, totalEarnedMicro: PRICE })
    const entries = await world.db.rows(sql`
      select job_id, agent_id, owner_id from journal_entries where kind = 'x402' and job_id = ${jobId}`)
    expect(entries).toEqual([{ jobId, agentId: agent.id, ownerId: seller.ownerId }])
  })

  test('the payment may come with the job', async () => {
    const owner = await world.newOwner()
    await world.give(owner.wallet.address, PRICE)
    const { jobId } = await calls.hire(owner, agent, PRICE.toString())
    const header = await calls.x402Header(owner.wallet, await calls.act(owner, jobId, 'pay'))
    await calls.act(owner, jobId, 'cancel')
    const body = { agentId: agent.id, title: 'Now', description: 'All.', agreedPrice: PRICE.toString() }
    const hired = await world.whileWorking(calls.send(owner, '/api/jobs', body, header))
    expect([hired.statusCode, hired.json().data]).toMatchObject([
      201,
      { status: 'IN_PROGRESS', job: { status: 'IN_PROGRESS' } },
    ])
    expect((await calls.jobOf(owner, hired.json().data.jobId)).status).toBe('IN_PROGRESS')

    // The same authorization pays for one job, not for two: the second one is there and waits.
    const second = await world.whileWorking(calls.send(owner, '/api/jobs', body, header))
    expect([second.statusCode, second.json().data.status]).toEqual([201, 'PENDING'])
    expect(second.json().data.paymentInfo.message).toContain('not accepted')
  })

  test('a repeated hire with its payment makes one job and pays once', async () => {
    const owner = await world.newOwner()
    await world.give(owner.wallet.address, 3n * PRICE)
    const { jobId } = await calls.hire(owner, agent, PRICE.toString())
    const header = await calls.x402Header(owner.wallet, await calls.act(owner, jobId, 'pay'))
    const body = { agentId: agent.id, title: 'Once', description: 'All.', agreedPrice: PRICE.toString() }
    const keyed = { ...header, 'idempotency-key': 'hire-and-pay' }
    const responses = await world.whileWorking(
      Promise.all(Array.from({ length: 5 }, () => calls.send(owner, '/api/jobs', body, keyed))),
    )
    expect(new Set(responses.map((response) => response.json().data.jobId)).size).toBe(1)
    expect(new Set(responses.map((response) => response.json().data.status))).toEqual(
      new Set(['IN_PROGRESS']),
    )
    expect(await balanceOf(owner.wallet.address)).toBe(2n * PRICE)
  })

  test('a cancelled job asks for nothing and takes nothing', async () => {
    const owner = await world.newOwner()
    await world.give(owner.wallet.address, PRICE)
    const { jobId } = await calls.hire(owner, agent, PRICE.toString())
    const header = await calls.x402Header(owner.wallet, await calls.act(owner, jobId, 'pay'))
    await calls.act(seller, jobId, 'decline', { reason: 'Fully booked.' })
    const paid = await world.whileWorking(calls.send(owner, `/api/jobs/${jobId}/pay`, undefined, header))
    expect([paid.statusCode, paid.json().error.code]).toEqual([409, 'INVALID_STATE'])
    expect(await balanceOf(owner.wallet.address)).toBe(PRICE)
  })

  test('a fork takes the payment back; it is sent again and the job goes on', async () => {
    const owner = await world.newOwner()
    await world.give(owner.wallet.address, PRICE)
    const { jobId } = await calls.hire(owner, agent, PRICE.toString())
    const header = await calls.x402Header(owner.wallet, await calls.act(owner, jobId, 'pay'))
    await world.whileWorking(calls.send(owner, `/api/jobs/${jobId}/pay`, undefined, header))
    world.chaos.setWeather('dropped')
    await world.chaos.reorganise(1, () => false)
    await world.engine.runOnce()
    expect((await calls.jobOf(owner, jobId)).status).toBe('PENDING')
    expect((await calls.act(owner, jobId, 'cancel')).statusCode).toBe(409)
    world.chaos.setWeather('fair')
    await world.engine.runUntilIdle()
    const job = await calls.jobOf(owner, jobId)
    expect(job.status).toBe('IN_PROGRESS')
    expect(job.timeline.filter((event: { type: string }) => event.type === 'JOB_FUNDED')).toHaveLength(1)
  })

  test('the seller’s own wallet may pay, but that says nothing about the agent', async () => {
    const owner = await world.newOwner()
    const rated = await world.newAgent(seller)
    await world.give(seller.wallet.address, PRICE)
    const { jobId } = await calls.hire(owner, rated, PRICE.toString())
    const header = await calls.x402Header(seller.wallet, await calls.act(owner, jobId, 'pay'))
    await world.whileWorking(calls.send(owner, `/api/jobs/${jobId}/pay`, undefined, header))
    await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
    const reviewed = await calls.act(owner, jobId, 'review', { rating: 5 })
    expect(reviewed.json().data.counted).toBe(false)
    expect(await world.agentRow(rated.wallet)).toMatchObject({ completedJobs: 0, reviewCount: 0 })
  })
})

test('the auditor sees a fee, a protection and a price that do not fit the rail', async () => {
  const { jobId } = await calls.hire(client, agent, '5000000')
  const breachesWith = async (change: Sql) => {
    await world.db.run(sql`update jobs set ${change} where id = ${jobId}`)
    return (await world.breaches()).map(({ invariant }) => invariant)
  }
  expect(await breachesWith(sql`fee_micro = 1, net_micro = price_micro - 1`)).toEqual(['M4'])
  expect(await breachesWith(sql`fee_micro = 0, net_micro = price_micro, buyer_protection = true`)).toEqual([
    'M5',
  ])
  expect(
    await breachesWith(sql`buyer_protection = false, price_micro = 100000000, net_micro = 100000000`),
  ).toEqual(['M5'])
  expect(await breachesWith(sql`price_micro = 5000000, net_micro = 5000000`)).toEqual([])
})
