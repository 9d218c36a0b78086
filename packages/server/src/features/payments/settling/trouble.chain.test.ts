import { prepareTransfer, prepareTransferWithAuthorization } from '@agent-marketplace/chain'
import { KYC_FEE_MICRO } from '@agent-marketplace/contract'
import { decodePaymentResponseHeader } from '@x402/core/http'
import { HTTPFacilitatorClient } from '@x402/core/server'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import type { EmbeddedChain } from '../../../ports/chain/embedded.ts'
import { toPaymentPayload } from '../../../ports/payments/exact-payload.ts'
import type { Offer, Payment } from '../../../ports/payments/port.ts'
import { signPayment } from '../../../testing/sign-payment.ts'
import { startTestChain } from '../../../testing/test-chain.ts'
import { administerUsdc, execute } from '../testing/chain-deeds.ts'
import { startX402, type TestX402 } from '../testing/start-x402.ts'

/** A service whose engine works only on the test's word, and wallets that were funded beforehand. */
let chain: EmbeddedChain
let idle: TestX402
let offer: Offer
const buyers: PrivateKeyAccount[] = []
beforeAll(async () => {
  chain = await startTestChain()
  idle = await startX402({ chain, settlementWaitMs: 0 })
  offer = await idle.offerFor()
  // The faucet counts its own transactions, so it is not asked again once the token's owner, who is the same, has acted.
  for (let count = 0; count < 16; count += 1) buyers.push(await idle.newBuyer())
})
afterAll(async () => {
  await idle.close()
  await chain.close()
})

function nextBuyer(): PrivateKeyAccount {
  const buyer = buyers.pop()
  if (!buyer) throw new Error('no wallet is left')
  return buyer
}

type Reply = Awaited<ReturnType<TestX402['callFee']>>
const settlementIn = (response: Reply) =>
  decodePaymentResponseHeader(String(response.headers['payment-response']))
const balanceOf = (address: string) => chain.chain.usdc.balanceOf(address)

async function postingsOf(service: TestX402, txHash: string): Promise<number> {
  const rows = await service.journalOf('kyc.fee')
  return rows.filter((row) => row.txHash === txHash).length
}

test('while the outcome is open it says so, asks for nothing else, and later reports the outcome', async () => {
  const owner = await idle.newOwner()
  const buyer = nextBuyer()
  const payment = await signPayment(idle, buyer, offer)
  for (const response of [await idle.callFee(owner, payment), await idle.callFee(owner)]) {
    expect(response.statusCode).toBe(202)
    expect(response.json().data.payment).toEqual({ status: 'PENDING', amount: '5000000', txHash: null })
    expect(response.headers).not.toHaveProperty('payment-required')
  }
  const another = await idle.callFee(owner, await signPayment(idle, nextBuyer(), offer))
  expect(another.statusCode).toBe(202)
  await idle.engine.runUntilIdle()
  const response = await idle.callFee(owner, payment)
  expect(response.statusCode).toBe(200)
  expect(await balanceOf(buyer.address)).toBe(45_000_000n)
  expect(await postingsOf(idle, settlementIn(response).transaction)).toBe(2)
})

test('the facilitator names the transaction of a pending settlement once it is signed', async () => {
  const crash = new Error('died after sending')
  const dying = await idle.startBeside({
    moneyOptions: {
      faults: {
        reach(point) {
          if (point === 'transaction.sent') throw crash
        },
      },
    },
  })
  const { headers } = await idle.newOwner()
  const client = new HTTPFacilitatorClient({
    url: `${idle.url}/api/x402/facilitator`,
    createAuthHeaders: async () => ({ settle: headers }),
  })
  const { payment } = await signPayment(idle, nextBuyer(), offer)
  const settle = () => client.settle(toPaymentPayload(payment, offer), offer)
  const pending = { success: false, errorReason: 'settlement_pending' }
  expect(await settle()).toMatchObject({ ...pending, transaction: '' })
  await expect(dying.money.runUntilIdle()).rejects.toBe(crash)
  const sent = await settle()
  expect(sent).toMatchObject({ ...pending, transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  await idle.engine.runUntilIdle()
  expect(await settle()).toMatchObject({ success: true, transaction: sent.transaction })
  expect(await balanceOf(payment.payer)).toBe(45_000_000n)
})

test.each(['transaction.stored', 'transaction.sent', 'settlement.storing'] as const)(
  'a process that dies at %s leaves a payment that settles once',
  async (point) => {
    const crash = new Error(`died at ${point}`)
    const dying = await idle.startBeside({
      moneyOptions: {
        faults: {
          reach(reached) {
            if (reached === point) throw crash
          },
        },
      },
    })
    const owner = await idle.newOwner()
    const buyer = nextBuyer()
    const payment = await signPayment(idle, buyer, offer)
    expect((await idle.callFee(owner, payment, dying)).statusCode).toBe(202)
    await expect(dying.money.runUntilIdle()).rejects.toBe(crash)

    await idle.engine.runUntilIdle()
    const responses = [await idle.callFee(owner, payment), await idle.callFee(owner, payment)]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await balanceOf(buyer.address)).toBe(45_000_000n)
    expect(await postingsOf(idle, settlementIn(responses[0] as Reply).transaction)).toBe(2)
  },
)

test('a payment that failed on chain holds its thing until it has ended, and no longer', async () => {
  const buyer = buyers[buyers.length - 1] as PrivateKeyAccount
  const owners = [await idle.newOwner(), await idle.newOwner()] as const
  const all = { ...offer, amount: '5000000' }
  for (const owner of owners) {
    expect((await idle.callFee(owner, await signPayment(idle, buyer, all))).statusCode).toBe(202)
  }
  // Both were good when they were taken, and the wallet is emptied before either is mined.
  const leftMicro = (await balanceOf(buyer.address)) - KYC_FEE_MICRO
  const { usdc, treasury } = chain.chain.facts.contracts
  const away = { usdc: usdc as `0x${string}`, to: treasury as `0x${string}`, amountMicro: leftMicro }
  await execute(chain, buyer, prepareTransfer(away))
  await idle.engine.runUntilIdle()
  const statuses = async () =>
    Promise.all(owners.map(async (owner) => (await idle.callFee(owner)).statusCode))
  expect((await statuses()).toSorted()).toEqual([200, 202])
  await chain.sandbox.advanceTime(500)
  expect((await statuses()).toSorted()).toEqual([200, 402])
  buyers.pop()
})

test('somebody else sends the authorization first: it is paid, and counts', async () => {
  const owner = await idle.newOwner()
  const buyer = nextBuyer()
  const signed = await signPayment(idle, buyer, offer)
  expect((await idle.callFee(owner, signed)).statusCode).toBe(202)
  const stranger = buyers[0] as PrivateKeyAccount
  const receipt = await execute(chain, stranger, asCall(signed.payment))
  expect(receipt.status).toBe('success')

  await idle.engine.runUntilIdle()
  const response = await idle.callFee(owner, signed)
  expect(response.statusCode).toBe(200)
  expect(settlementIn(response).transaction).toBe(receipt.transactionHash)
  expect(await postingsOf(idle, receipt.transactionHash)).toBe(2)
})

test('a node that lags calls the used authorization unused: it is looked up on, and counts', async () => {
  const owner = await idle.newOwner()
  const signed = await signPayment(idle, nextBuyer(), offer)
  expect((await idle.callFee(owner, signed)).statusCode).toBe(202)
  const stranger = buyers[0] as PrivateKeyAccount
  const receipt = await execute(chain, stranger, asCall(signed.payment))
  await idle.engine.runUntilIdle()
  const lagging = vi.spyOn(idle.deps.payments, 'lookUp').mockResolvedValue({ status: 'unused' })
  expect((await idle.callFee(owner, signed)).statusCode).toBe(202)
  lagging.mockRestore()
  const response = await idle.callFee(owner, signed)
  expect(response.statusCode).toBe(200)
  expect(settlementIn(response).transaction).toBe(receipt.transactionHash)
})

function asCall({ payer, payTo, amountMicro, validAfter, validBefore, nonce, signature }: Payment) {
  return prepareTransferWithAuthorization({
    usdc: chain.chain.facts.contracts.usdc as `0x${string}`,
    authorization: { from: payer, to: payTo, value: amountMicro, validAfter, validBefore, nonce },
    signature,
  })
}

// Either of the two may be looked up first.
test.each([0, 1])(
  'a payment that cannot be looked up does not keep another one open: number %s',
  async (broken) => {
    const stranger = buyers[0] as PrivateKeyAccount
    const signed = [await signPayment(idle, nextBuyer(), offer), await signPayment(idle, nextBuyer(), offer)]
    const payers = signed.map(({ payment }) => payment.payer.toLowerCase())
    for (const each of signed) {
      expect((await idle.callFee(await idle.newOwner(), each)).statusCode).toBe(202)
      await execute(chain, stranger, asCall(each.payment))
    }
    await idle.engine.runUntilIdle()
    await idle.db.run(sql`
    update x402_payments set look_up_at = ${idle.wallClock.now()} where lower(payer) = any(${payers})`)
    const open = async () =>
      idle.db.rows(sql`
      select lower(payer) as payer from x402_payments where status = 'PENDING' and lower(payer) = any(${payers})`)
    expect((await open()).length).toBe(2)
    const { payments } = idle.deps
    const really = payments.lookUp
    const lookUp = vi.spyOn(payments, 'lookUp').mockImplementation((payment, sinceBlock) => {
      if (payment.payer.toLowerCase() === payers[broken]) throw new Error('there is no such block')
      return really(payment, sinceBlock)
    })
    await expect(idle.tick('x402-look-ups')).rejects.toMatchObject({
      cause: { message: 'there is no such block' },
    })
    lookUp.mockRestore()
    expect(await open()).toEqual([{ payer: payers[broken] }])
  },
)

test('a turn looks up all payments that are due, however many there are', async () => {
  const signed = await signPayment(idle, nextBuyer(), offer)
  expect((await idle.callFee(await idle.newOwner(), signed)).statusCode).toBe(202)
  const payer = signed.payment.payer.toLowerCase()
  await idle.db.run(sql`
    insert into x402_payments select copy.* from x402_payments p, generate_series(1, 30) n,
      jsonb_populate_record(p, jsonb_build_object('id', 'many' || n, 'nonce', '0xabc' || n, 'reference', 'many' || n)) copy
    where lower(p.payer) = ${payer}`)
  await idle.db.run(sql`
    update x402_payments set look_up_at = ${idle.wallClock.now()} where lower(payer) = ${payer}`)
  const lookUp = vi.spyOn(idle.deps.payments, 'lookUp').mockResolvedValue({ status: 'unused' })
  await idle.tick('x402-look-ups')
  expect(new Set(lookUp.mock.calls.map(([{ nonce }]) => nonce)).size).toBe(31)
  lookUp.mockRestore()
  await idle.db.run(sql`delete from x402_payments where id like 'many%'`)
})

test('a wallet that is blacklisted: rejected at once, or reported as failed when noticed too late', async () => {
  const owner = await idle.newOwner()
  const [early, late] = [nextBuyer(), buyers[0] as PrivateKeyAccount]
  await administerUsdc(chain, { functionName: 'blacklist', args: [early.address] })
  const refused = await idle.callFee(owner, await signPayment(idle, early, offer))
  expect(refused.statusCode).toBe(402)
  expect(settlementIn(refused).errorReason).toBe('invalid_exact_evm_transaction_simulation_failed')

  const payment = await signPayment(idle, late, offer)
  expect((await idle.callFee(owner, payment)).statusCode).toBe(202)
  await administerUsdc(chain, { functionName: 'blacklist', args: [late.address] })
  await idle.engine.runUntilIdle()
  const responses = [await idle.callFee(owner, payment), await idle.callFee(owner, payment)]
  for (const response of responses) {
    expect(response.statusCode).toBe(402)
    expect(settlementIn(response)).toMatchObject({ success: false, payer: late.address })
    expect(response.headers).toHaveProperty('payment-required')
  }
  expect(await idle.db.one(sql`select kyc_fee_paid from owners where id = ${owner.ownerId}`)).toEqual({
    kycFeePaid: false,
  })
  await administerUsdc(chain, { functionName: 'unBlacklist', args: [late.address] })
})

test('while USDC is paused nothing is taken; afterwards the same payment is good', async () => {
  const owner = await idle.newOwner()
  const payment = await signPayment(idle, buyers[0] as PrivateKeyAccount, offer)
  await administerUsdc(chain, { functionName: 'pause' })
  const response = await idle.callFee(owner, payment)
  await administerUsdc(chain, { functionName: 'unpause' })
  expect(response.statusCode).toBe(402)
  expect((await idle.callFee(owner, payment)).statusCode).toBe(202)
  await idle.engine.runUntilIdle()
  expect((await idle.callFee(owner, payment)).statusCode).toBe(200)
})
