import { HTTPFacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { withBazaar } from '@x402/extensions/bazaar'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { EmbeddedChain } from '../../ports/chain/embedded.ts'
import { toPaymentPayload } from '../../ports/payments/exact-payload.ts'
import type { Offer } from '../../ports/payments/port.ts'
import { newWallet } from '../../testing/sign-in.ts'
import { signPayment } from '../../testing/sign-payment.ts'
import { startTestChain } from '../../testing/test-chain.ts'
import { uncounted } from '../../testing/uncounted.ts'
import type { WorldAgent, WorldOwner } from '../../testing/world/world-people.ts'
import { startX402, type TestX402 } from '../payments/testing/start-x402.ts'

let chain: EmbeddedChain
let service: TestX402
let client: HTTPFacilitatorClient
let offer: Offer
let agent: WorldAgent
let payTo: string
beforeAll(async () => {
  chain = await startTestChain()
  // Room for three payments of plain wallets by one owner, and one more by others.
  service = await startX402({
    chain,
    isWorking: true,
    environment: { RATE_LIMITS: 'on', GAS_BUDGET_OWNER: '360000', GAS_BUDGET_PLATFORM: '480000' },
    ports: () => ({ limiter: uncounted }),
  })
  const services = [{ id: 'Monthly reconciliation', priceMicro: '2500000', deliveryHours: 24 }]
  agent = await service.newAgent(await service.newOwner(), { services })
  payTo = agent.wallet
  const { headers } = await service.newOwner()
  client = new HTTPFacilitatorClient({
    url: `${service.url}/api/x402/facilitator`,
    createAuthHeaders: async () => ({ settle: headers }),
  })
  offer = await service.offerFor({ payTo, amountMicro: 2_500_000n })
})
afterAll(async () => {
  await service.close()
  await chain.close()
})

test('the stock facilitator client learns what is settled here', async () => {
  expect(await client.getSupported()).toEqual({
    kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:31337' }],
    extensions: ['bazaar'],
    signers: { 'eip155:*': [chain.chain.facts.operator] },
  })
})

test('it verifies and settles; the same payment again gets the same response', async () => {
  const buyer = await service.newBuyer()
  const payload = toPaymentPayload((await signPayment(service, buyer, offer)).payment, offer)
  expect(await client.verify(payload, offer)).toMatchObject({ isValid: true, payer: buyer.address })
  const settled = await client.settle(payload, offer)
  expect(settled).toMatchObject({
    success: true,
    payer: buyer.address,
    network: 'eip155:31337',
    amount: '2500000',
  })
  expect(await client.settle(payload, offer)).toEqual(settled)
  expect(await client.settle(...inVersionOne(payload, offer))).toEqual(settled)
  expect(await chain.chain.usdc.balanceOf(payTo)).toBe(2_500_000n)
  expect(await client.verify(payload, offer)).toMatchObject({
    isValid: false,
    invalidReason: 'invalid_exact_evm_nonce_already_used',
  })
  expect(await service.journalOf('x402')).toHaveLength(2)
  expect(await service.db.rows(sql`select agent_id, owner_id from journal_entries`)).toEqual([
    { agentId: agent.id, ownerId: agent.owner.ownerId },
  ])
})

/** The same payment as a server of version 1 sends it. Version 1 has no name for the devnet, so its id stands there. */
function inVersionOne({ payload }: PaymentPayload, { amount, extra: _extra, ...asked }: Offer) {
  const { scheme, network } = asked
  return [
    { x402Version: 1, scheme, network, payload } as unknown as PaymentPayload,
    {
      ...asked,
      maxAmountRequired: amount,
      resource: 'https://shop.example/report',
      description: '',
      mimeType: 'application/json',
    } as unknown as PaymentRequirements,
  ] as const
}

test('extra may be left out, a wrong one does not match, and version 1 is understood', async () => {
  const payload = toPaymentPayload(
    (await signPayment(service, await service.newBuyer(), offer)).payment,
    offer,
  )
  const { extra, ...bare } = offer
  expect(await client.verify(payload, bare as PaymentRequirements)).toMatchObject({ isValid: true })
  expect(await client.verify(payload, { ...offer, extra: { paymentFlow: 'authorization' } })).toMatchObject({
    isValid: true,
  })
  for (const [wrong, reason] of [
    [{ ...extra, name: 'Other' }, 'invalid_exact_evm_token_name_mismatch'],
    [{ name: 5 }, 'invalid_exact_evm_token_name_mismatch'],
    [{ version: '1' }, 'invalid_exact_evm_token_version_mismatch'],
  ] as const)
    expect(await client.verify(payload, { ...offer, extra: wrong })).toEqual({
      isValid: false,
      invalidReason: reason,
    })
  expect(await client.verify(...inVersionOne(payload, offer))).toMatchObject({ isValid: true })
  const [ofVersionOne, asked] = inVersionOne(payload, offer)
  const { maxAmountRequired: _amount, ...withoutAmount } = asked as unknown as { maxAmountRequired: string }
  expect(await client.verify(ofVersionOne, withoutAmount as unknown as PaymentRequirements)).toMatchObject({
    isValid: false,
    invalidReason: 'invalid_payment_requirements',
  })
})

test('a payload that describes its resource learns whether that is listed', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const { items } = await withBazaar(client).extensions.bazaar.listResources({ payTo })
  const [item] = items
  const { payment } = await signPayment(service, await service.newBuyer(), offer)
  const responsesFor = async (url: string) => {
    const payload = toPaymentPayload(payment, offer)
    const described = { ...payload, resource: { url }, extensions: item?.extensions ?? {} }
    const verdict = await client.verify(described, offer)
    expect(verdict.isValid).toBe(true)
    return verdict.extensionResponses
  }
  expect(await responsesFor(String(item?.resource))).toEqual({ bazaar: { status: 'success' } })
  expect(await responsesFor('https://shop.example/report')).toEqual({
    bazaar: { status: 'rejected', rejectedReason: expect.stringMatching(/\w/) },
  })
  const plain = await client.verify(toPaymentPayload(payment, offer), offer)
  expect(plain).not.toHaveProperty('extensionResponses')
  log.mockRestore()
})

test('an empty wallet is refused, in the words of the protocol', async () => {
  const payload = toPaymentPayload((await signPayment(service, newWallet(), offer)).payment, offer)
  const reason = 'invalid_exact_evm_insufficient_balance'
  expect(await client.verify(payload, offer)).toMatchObject({ isValid: false, invalidReason: reason })
  expect(await client.settle(payload, offer)).toMatchObject({
    success: false,
    errorReason: reason,
    transaction: '',
  })
})

test.each([
  ['another chain', { network: 'eip155:8453' as const }, 'invalid_network'],
  ['another token', { asset: newWallet().address }, 'invalid_payment_requirements'],
  ['another scheme', { scheme: 'upto' }, 'unsupported_scheme'],
  ['no amount', { amount: '0' }, 'invalid_payment_requirements'],
])('requirements with %s are not served', async (_what, changes, reason) => {
  const foreign = { ...offer, ...changes }
  const payload = toPaymentPayload((await signPayment(service, newWallet(), offer)).payment, foreign)
  expect(await client.verify(payload, foreign)).toMatchObject({ isValid: false, invalidReason: reason })
  expect(await client.settle(payload, foreign)).toMatchObject({ success: false, errorReason: reason })
})

test('a payload that is no payment is a response, not an error', async () => {
  const payload = {
    ...toPaymentPayload((await signPayment(service, newWallet(), offer)).payment, offer),
    payload: {},
  }
  expect(await client.verify(payload, offer)).toEqual({ isValid: false, invalidReason: 'invalid_payload' })
})

test('no gas is spent on payments to strangers or to oneself, or below a tenth of a cent', async () => {
  const buyer = await service.newBuyer()
  const refusals = [
    [{ payTo: newWallet().address }, 'payee_not_served'],
    [{ payTo: chain.chain.facts.spender }, 'payee_not_served'],
    [{ payTo: buyer.address }, 'payer_is_payee'],
    [{ amountMicro: 999n }, 'amount_below_minimum'],
  ] as const
  for (const [changes, reason] of refusals) {
    const asked = await service.offerFor({ payTo, amountMicro: 2_500_000n, ...changes })
    const payload = toPaymentPayload((await signPayment(service, buyer, asked)).payment, asked)
    expect(await client.verify(payload, asked)).toMatchObject({ isValid: false, invalidReason: reason })
    expect(await client.settle(payload, asked)).toMatchObject({
      success: false,
      errorReason: reason,
      errorMessage: expect.stringMatching(/\w/),
    })
  }
  expect(await chain.chain.usdc.balanceOf(buyer.address)).toBe(50_000_000n)
})

test('an authorization without an end is refused, whatever the requirements allow', async () => {
  const endless = { ...offer, maxTimeoutSeconds: 2 ** 50 }
  const changes = { validBefore: 2n ** 256n - 1n }
  const { payment } = await signPayment(service, await service.newBuyer(), offer, changes)
  const payload = toPaymentPayload(payment, endless)
  const reason = 'invalid_exact_evm_payload_authorization_valid_before'
  expect(await client.verify(payload, endless)).toMatchObject({ isValid: false, invalidReason: reason })
  expect(await client.settle(payload, endless)).toMatchObject({ success: false, errorReason: reason })
})

test('parallel payments get exactly the gas that is left of the owner’s and the platform’s budget', async () => {
  const asked = await service.offerFor({ payTo, amountMicro: 1_000n })
  const settle = async ({ headers }: WorldOwner) => {
    const payload = toPaymentPayload(
      (await signPayment(service, await service.newBuyer(), asked)).payment,
      asked,
    )
    return service.http.inject({
      method: 'POST',
      url: '/api/x402/facilitator/settle',
      headers,
      payload: { x402Version: 2, paymentPayload: payload, paymentRequirements: asked },
    })
  }
  const spentMicro = async () => (await chain.chain.usdc.balanceOf(payTo)) - 2_500_000n
  await service.db.run(sql`delete from gas_budget`)
  const greedy = await service.newOwner()
  const responses = await Promise.all(Array.from({ length: 6 }, () => settle(greedy)))
  expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 200, 429, 429, 429])
  expect(await spentMicro()).toBe(3_000n)
  const refused = responses.find(({ statusCode }) => statusCode === 429)
  expect(refused?.json().error).toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
    details: { budget: 'owner', limitGas: '360000', requiredGas: '120000' },
  })
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  const others = await Promise.all([1, 2, 3].map(async () => settle(await service.newOwner())))
  expect(others.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 429, 429])
  expect(others.find(({ statusCode }) => statusCode === 429)?.json().error.details.budget).toBe('platform')
  expect(await spentMicro()).toBe(4_000n)
})

test('settling needs an account, since the service pays the gas', async () => {
  const response = await service.http.inject({
    method: 'POST',
    url: '/api/x402/facilitator/settle',
    payload: {},
  })
  expect(response.statusCode).toBe(401)
  expect(response.json().error.message).toMatch(/What needs no account: .*100 calls a minute/)
  expect(await service.db.rows(sql`select 1 from x402_payments where status = 'PENDING'`)).toEqual([])
})

/** A contract that calls every signature good: it returns the word of ERC-1271, whatever it is asked. */
const TAKES_ANY_SIGNATURE = '0x6d631626ba7e60e01b5f5260205ff35f52600e6012f3'

test('a contract that pays is counted for all the gas that it can use, however short its signature is', async () => {
  await service.db.run(sql`delete from gas_budget`)
  const buyer = await service.newBuyer()
  const serializedTransaction = await buyer.signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce: 0,
    gas: 200_000n,
    data: TAKES_ANY_SIGNATURE,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  })
  const hash = await chain.client.sendRawTransaction({ serializedTransaction })
  const { contractAddress: payer } = await chain.client.waitForTransactionReceipt({ hash })
  if (!payer) throw new Error('nothing was deployed')
  await service.give(payer, 10_000_000n)
  const { payment } = await signPayment(service, buyer, offer, { payer })
  const payload = toPaymentPayload(payment, offer)
  expect(await client.verify(payload, offer)).toMatchObject({ isValid: true, payer })
  await expect(client.settle(payload, offer)).rejects.toThrow(/429|gas/)
})
