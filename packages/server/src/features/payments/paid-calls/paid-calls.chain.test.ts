import { KYC_FEE_MICRO } from '@agent-marketplace/contract'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { treasuryAccount, walletAccount } from '../../../money/books/accounts.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { EmbeddedChain } from '../../../ports/chain/embedded.ts'
import type { Offer } from '../../../ports/payments/port.ts'
import { newWallet } from '../../../testing/sign-in.ts'
import { headerOf, signPayment } from '../../../testing/sign-payment.ts'
import { startTestChain } from '../../../testing/test-chain.ts'
import { startX402, type TestX402 } from '../testing/start-x402.ts'

let chain: EmbeddedChain
let service: TestX402
let feeOffer: Offer
beforeAll(async () => {
  chain = await startTestChain()
  service = await startX402({ chain, isWorking: true })
  feeOffer = await service.offerFor()
})
afterAll(async () => {
  await service.close()
  await chain.close()
})

type Reply = Awaited<ReturnType<TestX402['callFee']>>

const settlementIn = (reply: Reply) => decodePaymentResponseHeader(String(reply.headers['payment-response']))
const balanceOf = (address: string) => chain.chain.usdc.balanceOf(address)
const rejectedWith = (reply: Reply) => {
  expect(reply.statusCode).toBe(402)
  expect(reply.json().error.code).toBe('PAYMENT_REQUIRED')
  expect(reply.headers).toHaveProperty('payment-required')
  expect(settlementIn(reply)).toMatchObject({ success: false, transaction: '' })
  return settlementIn(reply).errorReason
}

describe('200', () => {
  test('the stock client pays: the money moves, the fee is marked, the journal has it once, the owner is notified', async () => {
    const owner = await service.newOwner()
    const buyer = await service.newBuyer()
    const treasury = chain.chain.facts.contracts.treasury
    const before = await balanceOf(treasury)
    const response = await service.payFee(owner, buyer)
    expect(response.status).toBe(200)
    const settlement = decodePaymentResponseHeader(response.headers.get('PAYMENT-RESPONSE') ?? '')
    expect(settlement).toMatchObject({ success: true, network: 'eip155:31337', payer: buyer.address })
    expect(await response.json()).toMatchObject({
      data: {
        owner: { id: owner.ownerId, kycFeePaid: true },
        payment: { status: 'SETTLED', amount: '5000000', txHash: settlement.transaction },
      },
    })
    expect((await balanceOf(treasury)) - before).toBe(KYC_FEE_MICRO)
    expect(await balanceOf(buyer.address)).toBe(45_000_000n)
    const posted = (await service.journalOf('kyc.fee')).filter((row) => row.txHash === settlement.transaction)
    expect(posted).toMatchObject([
      { account: walletAccount(buyer.address), amountMicro: -KYC_FEE_MICRO },
      { account: treasuryAccount(), amountMicro: KYC_FEE_MICRO },
    ])
    expect(
      await service.db.rows(sql`select kind, status from intents where id = ${posted[0]?.intentId ?? null}`),
    ).toEqual([{ kind: 'x402.settle', status: 'SETTLED' }])
    expect(
      await service.db.rows(sql`select type from notifications where owner_id = ${owner.ownerId}`),
    ).toEqual([{ type: 'KYC_FEE_PAID' }])
  })

  test('once paid it succeeds without a challenge and charges nothing, with another payment or none', async () => {
    const owner = await service.newOwner()
    const buyer = await service.newBuyer()
    expect((await service.payFee(owner, buyer)).status).toBe(200)
    const plain = await service.callFee(owner)
    const again = await service.callFee(owner, await signPayment(service, buyer, feeOffer))
    for (const reply of [plain, again]) {
      expect(reply.statusCode).toBe(200)
      expect(reply.json().data.payment).toMatchObject({
        status: 'SETTLED',
        txHash: settlementIn(plain).transaction,
      })
    }
    expect(await balanceOf(buyer.address)).toBe(45_000_000n)
  })

  test('20 copies of one payment in parallel, on two engines, settle once and all get the same response', async () => {
    const twin = await service.startBeside({ isWorking: true })
    const owner = await service.newOwner()
    const buyer = await service.newBuyer()
    const payment = await signPayment(service, buyer, feeOffer)
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => service.callFee(owner, payment, index % 2 ? service : twin)),
    )
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
    const hashes = new Set(replies.map((reply) => settlementIn(reply).transaction))
    expect(hashes.size).toBe(1)
    expect(await balanceOf(buyer.address)).toBe(45_000_000n)
    const posted = await service.journalOf('kyc.fee')
    expect(posted.filter((row) => hashes.has(row.txHash))).toHaveLength(2)
  })

  test('two different payments for the same fee at once: one is taken', async () => {
    const owner = await service.newOwner()
    const [one, two] = [await service.newBuyer(), await service.newBuyer()]
    const replies = await Promise.all([
      service.callFee(owner, await signPayment(service, one, feeOffer)),
      service.callFee(owner, await signPayment(service, two, feeOffer)),
    ])
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect((await balanceOf(one.address)) + (await balanceOf(two.address))).toBe(95_000_000n)
  })

  test('a client of version 1 pays with X-PAYMENT', async () => {
    const owner = await service.newOwner()
    const buyer = await service.newBuyer()
    const { payment } = await signPayment(service, buyer, feeOffer)
    const { 'payment-signature': v2 } = headerOf({ payment, offer: feeOffer })
    const { payload } = JSON.parse(Buffer.from(v2, 'base64').toString())
    const v1 = { x402Version: 1, scheme: 'exact', network: 'eip155:31337', payload }
    const reply = await service.http.inject({
      method: 'POST',
      url: '/api/owners/kyc/fee',
      headers: {
        ...owner.headers,
        'x-payment': Buffer.from(JSON.stringify(v1)).toString('base64'),
      },
    })
    expect(reply.statusCode).toBe(200)
    expect(decodePaymentResponseHeader(String(reply.headers['x-payment-response'])).success).toBe(true)
  })

  test('a chain whose clock was moved ahead is paid all the same', async () => {
    await chain.sandbox.advanceTime(3 * 86_400)
    const reply = await service.payFee(await service.newOwner(), await service.newBuyer())
    expect(reply.status).toBe(200)
    feeOffer = await service.offerFor()
  })
})

describe('402', () => {
  test('without a payment: the offer, our envelope, and nothing to be cached', async () => {
    const reply = await service.callFee(await service.newOwner())
    expect(reply.statusCode).toBe(402)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.json().error).toMatchObject({ code: 'PAYMENT_REQUIRED', statusCode: 402 })
    expect(reply.headers).not.toHaveProperty('payment-response')
    expect(decodePaymentRequiredHeader(String(reply.headers['payment-required']))).toMatchObject({
      x402Version: 2,
      resource: { url: 'http://localhost:4000/api/owners/kyc/fee', mimeType: 'application/json' },
      accepts: [
        {
          scheme: 'exact',
          network: 'eip155:31337',
          amount: '5000000',
          asset: chain.chain.facts.contracts.usdc,
          payTo: chain.chain.facts.contracts.treasury,
          extra: { name: 'USDC', version: '2', paymentFlow: 'upfront' },
        },
      ],
    })
  })

  const nowSeconds = () => BigInt(Math.floor(chain.sandbox.now().getTime() / 1000))
  test.each([
    [
      'expired',
      () => ({ validBefore: nowSeconds() - 10n }),
      'invalid_exact_evm_payload_authorization_valid_before',
    ],
    [
      'good forever',
      () => ({ validBefore: 2n ** 256n - 1n }),
      'invalid_exact_evm_payload_authorization_valid_before',
    ],
    [
      'good for longer than was offered',
      () => ({ validBefore: nowSeconds() + BigInt(feeOffer.maxTimeoutSeconds) + 120n }),
      'invalid_exact_evm_payload_authorization_valid_before',
    ],
    [
      'too little',
      () => ({ amountMicro: 4_999_999n }),
      'invalid_exact_evm_payload_authorization_value_mismatch',
    ],
    ['to somebody else', () => ({ payTo: newWallet().address }), 'invalid_exact_evm_recipient_mismatch'],
  ])('an authorization that is %s', async (_what, changes, reason) => {
    const buyer = await service.newBuyer()
    const payment = await signPayment(service, buyer, feeOffer, changes())
    expect(rejectedWith(await service.callFee(await service.newOwner(), payment))).toBe(reason)
    expect(await balanceOf(buyer.address)).toBe(50_000_000n)
  })

  test.each([
    ['another amount', { amount: '1' }, 'invalid_exact_evm_payload_authorization_value_mismatch'],
    ['another network', { network: 'eip155:8453' as const }, 'invalid_network'],
    ['another token', { asset: `0x${'ab'.repeat(20)}` }, 'invalid_payment_requirements'],
    ['another scheme', { scheme: 'upto' }, 'unsupported_scheme'],
  ])('an accepted offer with %s', async (_what, changes, reason) => {
    const { payment } = await signPayment(service, await service.newBuyer(), feeOffer)
    const reply = await service.callFee(await service.newOwner(), {
      payment,
      offer: { ...feeOffer, ...changes },
    })
    expect(rejectedWith(reply)).toBe(reason)
  })

  test('a tampered signature', async () => {
    const signed = await signPayment(service, await service.newBuyer(), feeOffer)
    const signature = signed.payment.signature.replace(/^0x..../, '0x1234') as `0x${string}`
    const payment = { ...signed.payment, signature }
    const reply = await service.callFee(await service.newOwner(), { payment, offer: feeOffer })
    expect(rejectedWith(reply)).toBe('invalid_exact_evm_signature')
  })

  test('a payment that was used for something else', async () => {
    const buyer = await service.newBuyer()
    const payment = await signPayment(service, buyer, feeOffer)
    expect((await service.callFee(await service.newOwner(), payment)).statusCode).toBe(200)
    const other = await service.newOwner()
    expect(rejectedWith(await service.callFee(other, payment))).toBe('invalid_exact_evm_nonce_already_used')
    expect(await balanceOf(buyer.address)).toBe(45_000_000n)
    expect(await service.db.one(sql`select kyc_fee_paid from owners where id = ${other.ownerId}`)).toEqual({
      kycFeePaid: false,
    })
  })

  test('a wallet without enough money; with it, the same payment is good', async () => {
    const owner = await service.newOwner()
    const buyer = await service.newBuyer(1_000_000n)
    const payment = await signPayment(service, buyer, feeOffer)
    expect(rejectedWith(await service.callFee(owner, payment))).toBe('invalid_exact_evm_insufficient_balance')
    await service.give(buyer.address, 4_000_000n)
    expect((await service.callFee(owner, payment)).statusCode).toBe(200)
  })
})

describe('400', () => {
  test.each(['not base64!', 'bm90IGpzb24=', Buffer.from('{"x402Version":2}').toString('base64')])(
    'a header that is no payment: %s',
    async (header) => {
      const reply = await service.http.inject({
        method: 'POST',
        url: '/api/owners/kyc/fee',
        headers: { ...(await service.newOwner()).headers, 'payment-signature': header },
      })
      expect(reply.statusCode).toBe(400)
      expect(reply.json().error.details.issues[0].path).toBe('PAYMENT-SIGNATURE')
    },
  )
})
