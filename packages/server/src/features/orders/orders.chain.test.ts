import { usdcAbi } from '@agent-marketplace/chain'
import { defaultInputSchema } from '@agent-marketplace/contract'
import {
  decodePaymentRequiredHeader,
  decodePaymentResponseHeader,
  decodePaymentSignatureHeader,
  encodePaymentSignatureHeader,
} from '@x402/core/http'
import { validateDiscoveryExtension } from '@x402/extensions/bazaar'
import {
  extractOffersFromPaymentRequired,
  type JWSSignedReceipt,
  verifyOfferSignatureJWS,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt'
import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x'
import type { LightMyRequestResponse } from 'fastify'
import { encodeFunctionData } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { Hex } from '../../ports/chain/port.ts'
import type { Offer } from '../../ports/payments/port.ts'
import { newWallet } from '../../testing/sign-in.ts'
import { signPayment } from '../../testing/sign-payment.ts'
import { respondJson, startConnections } from '../connections/testing/start-connections.ts'

/** A service is ordered and paid for at its own URL, by a wallet that nobody has heard of. */

const SCORING = 'cscoring00000000000000001'
const LARGE = 'clarge0000000000000000001'
const PRICE = 2_500_000n
const inputSchema = {
  type: 'object',
  properties: { month: { $ref: '#/$defs/month' } },
  required: ['month'],
  $defs: { month: { type: 'string', minLength: 7, maxLength: 7 } },
}
const outputSchema = { type: 'object', properties: { matched: { type: 'integer' } }, required: ['matched'] }
const examples = [{ input: { month: '2026-10' }, output: { matched: 3 } }]
const input = { month: '2026-11' }
const NOW = { prefer: 'wait=0' }
const LONG = { prefer: 'wait=120' }

let world: Awaited<ReturnType<typeof startConnections>>
beforeAll(async () => {
  world = await startConnections({ environment: { MAX_UNPAID_JOBS: '1', MAX_UNPAID_JOBS_PER_SELLER: '1' } })
})
afterAll(() => world.close())
beforeEach(() => world.program.respondWith(respondJson(200, { output: { matched: 1204 } })))

async function newService(terms: object = { inputSchema, outputSchema, examples }) {
  const services = [
    { id: SCORING, priceMicro: PRICE.toString(), deliveryHours: 24 },
    { id: LARGE, priceMicro: '100000000', deliveryHours: 24 },
  ]
  const connected = await world.newConnectedAgent({ services })
  const stored = sql.json({ [SCORING]: terms, [LARGE]: terms })
  await world.db.run(sql`update agents set service_terms = ${stored}::json where id = ${connected.agent.id}`)
  const orders = (serviceId: string) => `/api/agents/${connected.agent.wallet}/services/${serviceId}/orders`
  return { ...connected, orderUrl: orders(SCORING), largeUrl: orders(LARGE) }
}

async function newPayer(micro = 10n * PRICE): Promise<PrivateKeyAccount> {
  const wallet = newWallet()
  await world.give(wallet.address, micro)
  return wallet
}

const order = (url: string, payload: object, headers: Record<string, string> = {}) =>
  world.http.inject({ method: 'POST', url, payload, headers })

const requiredBy = ({ headers }: LightMyRequestResponse) =>
  decodePaymentRequiredHeader(String(headers['payment-required']))

const settlementIn = ({ headers }: LightMyRequestResponse) =>
  decodePaymentResponseHeader(String(headers['payment-response']))

/** The key that signs for the service, as its DID document shows it. */
const publicKey = async () =>
  (await world.http.inject('/.well-known/did.json')).json().verificationMethod[0].publicKeyJwk

/** What the response swears to; undefined where it has no receipt. */
async function receiptIn(response: LightMyRequestResponse) {
  const extension = settlementIn(response).extensions?.['offer-receipt'] as
    | { info: { receipt: JWSSignedReceipt } }
    | undefined
  return extension && verifyReceiptSignatureJWS(extension.info.receipt, await publicKey())
}

/** The header that pays what the 402 of this order asks for. */
async function pay(payer: PrivateKeyAccount, url: string, payload: object, id?: string) {
  const { accepts, extensions } = requiredBy(await order(url, payload))
  const { payment, offer } = await signPayment(world, payer, accepts[0] as Offer)
  const { payer: from, payTo: to, amountMicro, validAfter, validBefore, nonce, signature } = payment
  const [value, after, before] = [amountMicro, validAfter, validBefore].map(String) as [
    string,
    string,
    string,
  ]
  const authorization = { from, to, value, validAfter: after, validBefore: before, nonce }
  const named = { ...extensions, 'payment-identifier': { info: { required: false, id } } }
  const header = encodePaymentSignatureHeader({
    x402Version: 2,
    accepted: offer,
    payload: { signature, authorization },
    extensions: id === undefined ? (extensions ?? {}) : named,
  })
  return { 'payment-signature': header }
}

/** The payer cancels on chain what they have signed. */
async function cancel(payer: PrivateKeyAccount, header: string): Promise<void> {
  const { nonce } = decodePaymentSignatureHeader(header).payload.authorization as { nonce: Hex }
  const { usdc, contracts, chainId } = world.chain.facts
  const token = contracts.usdc as Hex
  const signature = await payer.signTypedData({
    domain: { ...usdc, chainId, verifyingContract: token },
    primaryType: 'CancelAuthorization',
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    message: { authorizer: payer.address, nonce },
  })
  const args = [payer.address, nonce, signature] as const
  const data = encodeFunctionData({ abi: usdcAbi, functionName: 'cancelAuthorization', args })
  await world.execute(payer, { to: token, data, value: 0n })
}

/** Engine and worker go round until the call has its response. */
async function serve<T>(call: PromiseLike<T>): Promise<T> {
  let isDone = false
  const done = Promise.resolve(call).finally(() => {
    isDone = true
  })
  done.catch(() => undefined)
  while (!isDone) {
    await world.engine.runOnce()
    await world.work()
  }
  return done
}

const noticesOf = async (ownerId: string) =>
  (
    await world.db.rows<{ type: string }>(
      sql`select type from notifications where owner_id = ${ownerId} order by seq`,
    )
  ).map(({ type }) => type)

const balanceOf = (address: string) => world.chain.usdc.balanceOf(address)
const countOf = async (table: 'jobs' | 'owners' | 'x402_payments') =>
  (await world.db.one<{ count: number }>(sql`select count(*)::integer as count from ${sql.ident(table)}`))
    .count

describe('without a payment', () => {
  test('402 has the offer, the extensions and the body of version 1, and stores nothing', async () => {
    const { agent, orderUrl } = await newService()
    const before = [await countOf('jobs'), await countOf('owners')]
    const response = await order(orderUrl, input, { origin: 'https://elsewhere.example' })
    expect(response.statusCode).toBe(402)
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(response.headers['access-control-allow-credentials']).toBeUndefined()
    expect(response.headers['access-control-expose-headers']).toContain('PAYMENT-REQUIRED')
    const { x402Version, resource, accepts, extensions = {} } = requiredBy(response)
    expect(x402Version).toBe(2)
    expect(resource).toMatchObject({
      url: `http://localhost:4000${orderUrl}`,
      mimeType: 'application/json',
      serviceName: SCORING,
      tags: ['finance'],
    })
    expect(accepts).toEqual([
      expect.objectContaining({ scheme: 'exact', amount: PRICE.toString(), payTo: agent.wallet }),
    ])
    expect(Object.keys(extensions).sort()).toEqual([
      'bazaar',
      'offer-receipt',
      'payment-identifier',
      'sign-in-with-x',
    ])
    const [signedOffer] = extractOffersFromPaymentRequired(requiredBy(response))
    if (signedOffer?.format !== 'jws') throw new Error('no signed offer')
    expect(await verifyOfferSignatureJWS(signedOffer, await publicKey())).toEqual({
      version: 1,
      resourceUrl: `http://localhost:4000${orderUrl}`,
      scheme: 'exact',
      network: accepts[0]?.network,
      asset: accepts[0]?.asset,
      payTo: agent.wallet,
      amount: PRICE.toString(),
      validUntil: Math.floor(world.wallClock.now().getTime() / 1000) + (accepts[0]?.maxTimeoutSeconds ?? 0),
    })
    const bazaar = extensions.bazaar as Parameters<typeof validateDiscoveryExtension>[0]
    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true })
    expect(bazaar.info.input).toMatchObject({ method: 'POST', body: { month: '2026-10' } })
    expect(JSON.stringify(bazaar)).not.toMatch(/\$ref|routeTemplate/)
    expect(response.json()).toMatchObject({
      x402Version: 1,
      accepts: [{ scheme: 'exact', maxAmountRequired: PRICE.toString(), payTo: agent.wallet }],
      error: { code: 'PAYMENT_REQUIRED' },
    })
    expect([await countOf('jobs'), await countOf('owners')]).toEqual(before)
  })

  test('a schema that is too large for a header is linked', async () => {
    const fields = Array.from({ length: 60 }, (_, place) => [
      `field${place}`,
      { type: 'string', description: 'x'.repeat(60) },
    ])
    const { orderUrl } = await newService({
      inputSchema: { type: 'object', properties: Object.fromEntries(fields) },
    })
    const response = await order(orderUrl, {})
    expect(response.statusCode).toBe(402)
    expect(String(response.headers['payment-required']).length).toBeLessThan(10_000)
    const { bazaar } = requiredBy(response).extensions as {
      bazaar: Parameters<typeof validateDiscoveryExtension>[0]
    }
    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true })
    expect(JSON.stringify(bazaar)).toContain(orderUrl)
    expect((await world.http.inject(orderUrl)).json().data.inputSchema.properties).toHaveProperty('field59')
  })

  test('400 names the field that is wrong, with or without a payment, and nothing is charged', async () => {
    const { orderUrl } = await newService()
    const wrong = await order(orderUrl, { month: 'May' })
    expect(wrong.statusCode).toBe(400)
    expect(wrong.json().error.details.issues).toEqual([expect.objectContaining({ path: '/month' })])
    const payer = await newPayer(PRICE)
    const payments = await countOf('x402_payments')
    const paid = await order(orderUrl, { month: 'May' }, { ...(await pay(payer, orderUrl, input)), ...NOW })
    expect(paid.statusCode).toBe(400)
    expect(await countOf('x402_payments')).toBe(payments)
    expect(await balanceOf(payer.address)).toBe(PRICE)
  })

  test('404 and 409 come before the offer', async () => {
    const { agent, orderUrl, largeUrl } = await newService()
    const unknown = await order(orderUrl.replace(SCORING, 'cnone'), input)
    expect(unknown.statusCode).toBe(404)
    const large = await order(largeUrl, input)
    expect(large.statusCode).toBe(409)
    expect(large.json().error.message).toContain('POST /api/jobs/quote')
    const states = [
      [sql`online = false`, sql`online = null`, 'OFFLINE'],
      [sql`paused_by = 'OWNER'`, sql`paused_by = null`, 'CLOSED'],
      [sql`x402_enabled = false`, sql`x402_enabled = true`, 'OFF'],
    ] as const
    for (const [set, reset, status] of states) {
      await world.db.run(sql`update agents set ${set} where id = ${agent.id}`)
      const response = await order(orderUrl, input)
      expect([response.statusCode, response.json().error.details.status]).toEqual([409, status])
      await world.db.run(sql`update agents set ${reset} where id = ${agent.id}`)
    }
    expect((await order(orderUrl, input)).statusCode).toBe(402)
  })
})

describe('with a payment', () => {
  test('the payer is the client, and the call waits for the result', async () => {
    const { agent, orderUrl } = await newService()
    const payer = await newPayer(PRICE)
    const spelling = `${orderUrl.toLowerCase()}/?guarantee=full-refund`
    const payment = await pay(payer, spelling, input)
    const heard: string[] = []
    const stopListening = await world.db.listen(
      'owner_notified',
      (message) => void heard.push(message),
      () => {},
    )
    const response = await serve(order(spelling, input, { ...payment, ...LONG }))
    expect(response.statusCode).toBe(200)
    expect(settlementIn(response)).toMatchObject({
      success: true,
      payer: payer.address,
      amount: PRICE.toString(),
    })
    expect(await receiptIn(response)).toEqual({
      version: 1,
      network: settlementIn(response).network,
      resourceUrl: `http://localhost:4000${orderUrl}`,
      payer: payer.address,
      issuedAt: Math.floor(world.wallClock.now().getTime() / 1000),
      transaction: settlementIn(response).transaction,
    })
    const { data } = response.json()
    expect(data).toMatchObject({
      status: 'COMPLETED',
      price: PRICE.toString(),
      serviceId: SCORING,
      result: { output: { matched: 1204 }, text: null, files: [] },
      refund: null,
    })
    expect(world.sentFor(data.jobId)[0]?.body.job).toMatchObject({
      input,
      outputSchema,
      amount: PRICE.toString(),
    })
    expect(await balanceOf(payer.address)).toBe(0n)
    expect(await balanceOf(agent.wallet)).toBe(PRICE)
    const buyer = await world.newOwner({ wallet: payer })
    expect(await world.jobOf(buyer, data.jobId)).toMatchObject({ status: 'COMPLETED', input })
    // By which the call was woken: it names the job.
    await expect.poll(() => heard.join('\n')).toContain(`${buyer.ownerId} /jobs/${data.jobId}`)
    await stopListening()

    const again = await order(orderUrl, input, { ...payment, ...NOW })
    expect([again.statusCode, again.json()]).toEqual([200, response.json()])
    expect(again.headers['payment-response']).toBe(response.headers['payment-response'])
    const other = await order(orderUrl, { month: '2026-12' }, { ...payment, ...NOW })
    expect(other.statusCode).toBe(409)
    expect(await balanceOf(agent.wallet)).toBe(PRICE)
    expect(await world.breaches()).toEqual([])
  })

  test('the same authorization in another header is the same order, and shows no more than where it is', async () => {
    const { agent, orderUrl } = await newService()
    const payer = await newPayer(3n * PRICE)
    const id = `order_${newWallet().address}`
    const { 'payment-signature': paid } = await pay(payer, orderUrl, input, id)
    const first = await serve(order(orderUrl, input, { 'payment-signature': paid, ...LONG }))
    const { jobId } = first.json().data
    const { extensions: _, ...onChain } = decodePaymentSignatureHeader(paid)
    const challenge = requiredBy(await order(orderUrl, input)).extensions
    const wrapped = [
      onChain,
      { ...onChain, extensions: challenge },
      { ...onChain, extensions: { ...challenge, 'payment-identifier': { info: { required: false, id } } } },
    ]
    for (const payload of wrapped) {
      const again = { 'payment-signature': encodePaymentSignatureHeader(payload) }
      const response = await order(orderUrl, input, { ...again, ...LONG })
      expect(response.statusCode).toBe(202)
      expect(response.json().data).toMatchObject({ jobId, status: 'COMPLETED', token: null, result: null })
      expect(response.headers.location).toBe(`http://localhost:4000/api/orders/${jobId}`)
      expect(response.headers).not.toHaveProperty('payment-required')
      const other = await order(orderUrl, { month: '2026-12' }, { ...again, ...NOW })
      expect(other.statusCode).toBe(409)
    }
    expect(await balanceOf(agent.wallet)).toBe(PRICE)
  })

  test('a header that holds nothing but what is on chain opens its order once', async () => {
    const { orderUrl } = await newService()
    const payer = await newPayer(PRICE)
    const { extensions: _, ...onChain } = decodePaymentSignatureHeader(
      (await pay(payer, orderUrl, input))['payment-signature'],
    )
    const bare = { 'payment-signature': encodePaymentSignatureHeader(onChain) }
    const first = await serve(order(orderUrl, input, { ...bare, ...LONG }))
    expect([first.statusCode, first.json().data.result.output]).toEqual([200, { matched: 1204 }])
    const second = await order(orderUrl, input, { ...bare, ...NOW })
    expect([second.statusCode, second.json().data.token]).toEqual([202, null])
    const opened = await world.http.inject({
      url: second.json().data.url,
      headers: { authorization: `Bearer ${first.json().data.token}` },
    })
    expect([opened.statusCode, opened.json().data]).toEqual([200, first.json().data])
  })

  test('202 says where the result will be, while the agent is at work', async () => {
    const { orderUrl } = await newService()
    world.program.respondWith(respondJson(202, {}))
    const payer = await newPayer()
    const response = await serve(order(orderUrl, input, { ...(await pay(payer, orderUrl, input)), ...NOW }))
    expect(response.statusCode).toBe(202)
    const { jobId, status, url, token, result } = response.json().data
    expect([status, result]).toEqual(['IN_PROGRESS', null])
    expect(url).toBe(`http://localhost:4000/api/orders/${jobId}`)
    expect(response.headers).toMatchObject({
      location: url,
      'retry-after': '5',
      'preference-applied': 'wait=0',
    })
    expect(token).toMatch(/^jot_[\w-]{43}$/)
    expect(settlementIn(response)).toMatchObject({ success: true })
    expect(await receiptIn(response)).toBeUndefined()
  })

  test('an identifier makes one order, whatever is signed for it', async () => {
    const { agent, orderUrl } = await newService()
    const [payer, stranger] = [await newPayer(3n * PRICE), await newPayer()]
    const id = `order_${newWallet().address}`
    const first = await serve(order(orderUrl, input, { ...(await pay(payer, orderUrl, input, id)), ...LONG }))
    expect(first.statusCode).toBe(200)

    const signedAnew = await pay(payer, orderUrl, { month: '2026-11' }, id)
    const signedForLater = await pay(payer, orderUrl, input, id)
    const second = await order(orderUrl, input, { ...signedAnew, ...NOW })
    expect([second.statusCode, second.json()]).toEqual([200, first.json()])
    expect(settlementIn(second)).toEqual(settlementIn(first))

    const otherInput = { month: '2026-12' }
    const other = await order(orderUrl, otherInput, {
      ...(await pay(payer, orderUrl, otherInput, id)),
      ...NOW,
    })
    const stolen = await order(orderUrl, input, { ...(await pay(stranger, orderUrl, input, id)), ...NOW })
    const short = await order(orderUrl, input, { ...(await pay(payer, orderUrl, input, 'short')), ...NOW })
    expect([other.statusCode, stolen.statusCode, short.statusCode]).toEqual([409, 409, 400])
    // Neither a closed agent nor a service that is gone keeps anybody from what they have paid for.
    await world.db.run(sql`update agents set paused_by = 'OWNER' where id = ${agent.id}`)
    const closed = await order(orderUrl, input)
    expect([closed.statusCode, closed.json().error.message]).toEqual([
      409,
      expect.not.stringMatching(/charged/),
    ])
    const whileClosed = await order(orderUrl, input, { ...signedForLater, ...NOW })
    expect([whileClosed.statusCode, whileClosed.json()]).toEqual([200, first.json()])
    await world.db.run(sql`update agents set services = '[]', paused_by = null where id = ${agent.id}`)
    const whenGone = await order(orderUrl, input, { ...signedForLater, ...NOW })
    expect([whenGone.statusCode, whenGone.json()]).toEqual([200, first.json()])
    expect((await order(orderUrl, input)).statusCode).toBe(404)
    expect(await balanceOf(payer.address)).toBe(2n * PRICE)
    expect(await balanceOf(agent.wallet)).toBe(PRICE)
    expect(await world.breaches()).toEqual([])
  })

  test('a payer whose last money it was gets the order again by its identifier', async () => {
    const { orderUrl } = await newService()
    const payer = await newPayer(PRICE)
    const id = `order_${newWallet().address}`
    const first = await serve(order(orderUrl, input, { ...(await pay(payer, orderUrl, input, id)), ...LONG }))
    const second = await order(orderUrl, input, { ...(await pay(payer, orderUrl, input, id)), ...NOW })
    expect([second.statusCode, second.json()]).toEqual([200, first.json()])
    expect(second.headers).not.toHaveProperty('payment-required')
    const unnamed = await order(orderUrl, input, { ...(await pay(payer, orderUrl, input)), ...NOW })
    expect(unnamed.statusCode).toBe(402)
  })

  test('orders that come at the same time make one job', async () => {
    const { agent, orderUrl } = await newService()
    const payer = await newPayer()
    const id = `order_${newWallet().address}`
    const same = await pay(payer, orderUrl, input, id)
    const anew = await pay(payer, orderUrl, input, id)
    const responses = await serve(
      Promise.all([same, same, anew].map((payment) => order(orderUrl, input, { ...payment, ...LONG }))),
    )
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(new Set(responses.map((response) => response.json().data.jobId)).size).toBe(1)
    expect(await balanceOf(agent.wallet)).toBe(PRICE)
  })

  test('a payment that fails ends its order unseen, and leaves its identifier free for another', async () => {
    const { agent, seller, orderUrl } = await newService()
    const payer = await newPayer(PRICE)
    const id = `order_${newWallet().address}`
    const before = await countOf('x402_payments')
    const first = order(orderUrl, input, { ...(await pay(payer, orderUrl, input, id)), ...NOW }).then()
    await expect.poll(() => countOf('x402_payments')).toBe(before + 1)
    // The money leaves the wallet between the check and the block.
    const [offer] = requiredBy(await order(orderUrl, input)).accepts as Offer[]
    if (!offer) throw new Error('nothing is offered')
    const { payment } = await signPayment(world, payer, { ...offer, payTo: newWallet().address })
    const { payer: from, payTo: to, amountMicro: value, signature, ...validity } = payment
    const { validAfter, validBefore, nonce } = validity
    const authorization = { from, to, value, validAfter, validBefore, nonce }
    await world.execute(payer, world.chain.usdc.transferWithAuthorization({ authorization, signature }))
    expect((await serve(first)).statusCode).toBe(402)
    const buyer = await world.newOwner({ wallet: payer })
    const listed = async ({ headers }: { headers: Record<string, string> }, path: string) =>
      (await world.http.inject({ url: path, headers })).json().data
    const [failed] = await listed(buyer, '/api/jobs?role=client')
    const { status, message, result } = await listed(buyer, `/api/orders/${failed.id}`)
    expect([status, result]).toEqual(['CANCELLED', null])
    expect(message).toBe('The payment was not accepted: invalid_exact_evm_insufficient_balance.')
    expect(await listed(seller, '/api/jobs?role=seller')).toEqual([])
    expect(await noticesOf(seller.ownerId)).toEqual([])
    expect(await noticesOf(buyer.ownerId)).toEqual(['PAYMENT_FAILED'])

    await world.give(payer.address, PRICE)
    const second = await serve(
      order(orderUrl, input, { ...(await pay(payer, orderUrl, input, id)), ...LONG }),
    )
    expect(second.statusCode).toBe(200)
    expect([await balanceOf(payer.address), await balanceOf(agent.wallet)]).toEqual([0n, PRICE])
    expect(await listed(seller, '/api/jobs?role=seller')).toMatchObject([{ id: second.json().data.jobId }])
    expect(await noticesOf(seller.ownerId)).not.toContain('JOB_CREATED')
    expect(await world.breaches()).toEqual([])
  })

  test.each([
    ['an order', async () => {}],
    [
      'an order that ended when migration 0059 ran',
      async (jobId: string) => {
        await world.db.run(sql`delete from job_events where job_id = ${jobId} and type = 'JOB_EXPIRED'`)
        await world.db.run(sql`update jobs set decisions = 0 where id = ${jobId}`)
      },
    ],
  ])('a fork that takes back why its payment failed opens %s again', async (_name, change) => {
    const { agent, orderUrl } = await newService()
    const payer = await newPayer(PRICE)
    const payment = await pay(payer, orderUrl, input)
    await world.runUntilIdle()
    const [depth, payments] = [world.chaos.depth(), await countOf('x402_payments')]
    world.chaos.setWeather('forgotten')
    const first = order(orderUrl, input, { ...payment, ...NOW }).then()
    await expect.poll(() => countOf('x402_payments')).toBe(payments + 1)
    await world.engine.runOnce()
    world.chaos.setWeather('fair')
    await cancel(payer, payment['payment-signature'])
    // 402, or 202 where it takes long.
    await serve(first)
    const buyer = await world.newOwner({ wallet: payer })
    const [{ id: jobId }] = (await world.get(buyer, '/api/jobs?role=client')).json().data
    const statusLater = async () => {
      await world.engine.runOnce()
      await world.work()
      return (await world.jobOf(buyer, jobId)).status
    }
    await expect.poll(statusLater).toBe('CANCELLED')
    await change(jobId)

    world.chaos.setWeather('dropped')
    await world.chaos.reorganise(world.chaos.depth() - depth, () => false)
    await world.engine.runOnce()
    expect((await world.jobOf(buyer, jobId)).status).toBe('PENDING')
    world.chaos.setWeather('fair')
    await expect.poll(statusLater).toBe('COMPLETED')
    const again = await order(orderUrl, input, { ...payment, ...NOW })
    expect([again.statusCode, again.json().data]).toMatchObject([
      200,
      { jobId, status: 'COMPLETED', result: { output: { matched: 1204 } } },
    ])
    const { timeline } = await world.jobOf(buyer, jobId)
    expect(timeline.map(({ type }: { type: string }) => type)).not.toContain('JOB_EXPIRED')
    expect([await balanceOf(payer.address), await balanceOf(agent.wallet)]).toEqual([0n, PRICE])
    expect(await world.breaches()).toEqual([])
  })

  test('orders that are paid in the call are not unpaid jobs, however many come at once', async () => {
    const { orderUrl } = await newService()
    const payer = await newPayer()
    const inputs = ['2026-07', '2026-08', '2026-09'].map((month) => ({ month }))
    const payments = await Promise.all(inputs.map((each) => pay(payer, orderUrl, each)))
    const responses = await serve(
      Promise.all(
        payments.map((payment, place) => order(orderUrl, inputs[place] ?? {}, { ...payment, ...LONG })),
      ),
    )
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  })

  test('gas is paid neither for dust nor for more guests than an hour has room for', async () => {
    const { agent, orderUrl } = await newService()
    const payer = await newPayer()
    const payment = await pay(payer, orderUrl, input)
    const hour = sql`date_trunc('hour', ${world.wallClock.now()}::timestamptz)`
    const full = sql`
      insert into gas_budget (account, hour, gas) values ('guests', ${hour}, 9000000000000000)
      on conflict (account, hour) do update set gas = 9000000000000000`
    await world.db.run(full)
    const refused = await order(orderUrl, input, { ...payment, ...NOW })
    expect([refused.statusCode, refused.json().error.details.budget]).toEqual([429, 'guests'])
    expect(await balanceOf(payer.address)).toBe(10n * PRICE)
    const { headers } = await world.newOwner({ wallet: payer })
    const signedIn = await serve(order(orderUrl, input, { ...headers, ...payment, ...LONG }))
    expect(signedIn.statusCode).toBe(200)
    await world.db.run(sql`delete from gas_budget where account = 'guests'`)

    const cheap = sql.json([
      { id: SCORING, name: 'Dust', priceMicro: '999', deliveryHours: 24, x402Enabled: true },
    ])
    await world.db.run(sql`update agents set services = ${cheap} where id = ${agent.id}`)
    const dust = await order(orderUrl, input)
    expect([dust.statusCode, dust.json().error.details.status]).toEqual([409, 'BELOW_MINIMUM'])
  })

  test('nothing is charged when the agent closes between the offer and the payment', async () => {
    const { agent, orderUrl } = await newService()
    const payer = await newPayer(PRICE)
    const payment = await pay(payer, orderUrl, input)
    const [jobs, owners] = [await countOf('jobs'), await countOf('owners')]
    await world.db.run(sql`update agents set online = false where id = ${agent.id}`)
    const response = await order(orderUrl, input, { ...payment, ...NOW })
    expect([response.statusCode, response.json().error.details.status]).toEqual([409, 'OFFLINE'])
    await world.runUntilIdle()
    expect([await countOf('jobs'), await countOf('owners')]).toEqual([jobs, owners])
    expect(await balanceOf(payer.address)).toBe(PRICE)
  })

  test('a wallet whose account is suspended buys nothing', async () => {
    const { orderUrl } = await newService()
    const payer = await newPayer(PRICE)
    await world.newOwner({ wallet: payer, accountStatus: 'SUSPENDED' })
    const response = await order(orderUrl, input, { ...(await pay(payer, orderUrl, input)), ...NOW })
    expect(response.statusCode).toBe(403)
    expect(await balanceOf(payer.address)).toBe(PRICE)
  })
})

describe('the description of a service', () => {
  const read = (url: string, accept: string) => world.http.inject({ url, headers: { accept } })

  test('is JSON, Markdown or the agent’s page', async () => {
    const { agent, orderUrl, largeUrl } = await newService()
    const json = await read(orderUrl, '*/*')
    expect(json.statusCode).toBe(200)
    expect(json.json().data).toMatchObject({
      url: `http://localhost:4000${orderUrl}`,
      price: PRICE.toString(),
      inputSchema,
      outputSchema,
      examples: [{ title: null, ...examples[0] }],
      takesOrders: true,
      reason: null,
      accepts: [{ amount: PRICE.toString(), payTo: agent.wallet }],
    })
    expect((await read(largeUrl, 'application/json')).json().data).toMatchObject({
      paymentMethod: 'ESCROW',
      takesOrders: false,
      accepts: [],
    })
    const markdown = await read(orderUrl, 'text/markdown')
    expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(markdown.headers.vary).toBe('Accept')
    expect(markdown.body).toContain(`\`POST http://localhost:4000${orderUrl}\``)
    const page = await read(orderUrl, 'text/html,application/xhtml+xml,*/*;q=0.8')
    expect([page.statusCode, page.headers.location]).toEqual([
      302,
      `http://localhost:4000/agents/${agent.wallet}`,
    ])
  })

  test('names the default schema, and 404 and 406 are what they are elsewhere', async () => {
    const { orderUrl } = await newService({})
    expect((await read(orderUrl, '*/*')).json().data.inputSchema).toEqual(defaultInputSchema)
    expect((await order(orderUrl, {})).json().error.details.issues[0].path).toBe('/task')
    expect((await read(orderUrl.replace(SCORING, 'cnone'), '*/*')).statusCode).toBe(404)
    expect((await read(orderUrl, 'image/png')).statusCode).toBe(406)
  })
})

describe('the job URL', () => {
  const origin = 'http://localhost:4000'
  const read = (url: string, headers: Record<string, string> = {}) =>
    world.http.inject({ url: url.replace(origin, ''), headers })

  /** An order on which the agent is at work. */
  async function newOrder() {
    const service = await newService({})
    world.program.respondWith(respondJson(202, {}))
    const payer = await newPayer()
    const payment = await pay(payer, service.orderUrl, { task: 'Sing.' })
    const response = await serve(order(service.orderUrl, { task: 'Sing.' }, { ...payment, ...NOW }))
    expect(response.statusCode).toBe(202)
    const { jobId, url, token } = response.json().data
    return { ...service, payer, jobId, url, token }
  }

  type SignInExtension = Record<
    'sign-in-with-x',
    {
      info: Parameters<typeof createSIWxPayload>[0]
      supportedChains: [{ chainId: string; type: 'eip191' }]
    }
  >

  async function signIn(wallet: PrivateKeyAccount, url: string) {
    const { extensions } = requiredBy(await read(url)) as never as { extensions: SignInExtension }
    const { info, supportedChains } = extensions['sign-in-with-x']
    const payload = await createSIWxPayload({ ...info, ...supportedChains[0] }, wallet, url)
    return { 'sign-in-with-x': encodeSIWxHeader(payload) }
  }

  test('opens with the token, with a sign-in and with SIGN-IN-WITH-X, to the payer alone', async () => {
    const { url, token, payer, seller, orderUrl } = await newOrder()
    const challenge = await read(url)
    expect([challenge.statusCode, challenge.headers['cache-control']]).toEqual([402, 'no-store'])
    expect(requiredBy(challenge)).toMatchObject({ accepts: [], resource: { url } })

    const bearer = { authorization: `Bearer ${token}` }
    expect((await read(url, bearer)).statusCode).toBe(202)
    expect((await read(`${url}?token=${token}`)).statusCode).toBe(202)
    expect((await read(url, { authorization: 'Bearer jot_wrong' })).statusCode).toBe(401)
    expect((await read(`${origin}/api/orders/cnone`, bearer)).statusCode).toBe(401)

    const buyer = await world.newOwner({ wallet: payer })
    expect((await read(url, buyer.headers)).statusCode).toBe(202)
    expect((await read(url, seller.headers)).statusCode).toBe(404)
    for (const [scopes, status] of [
      [['read'], 202],
      [['hire', 'sell'], 401],
    ] as const) {
      const made = await world.http.inject({
        method: 'POST',
        url: '/api/api-keys',
        headers: buyer.headers,
        payload: { name: 'Program', scopes },
      })
      const asKey = { authorization: `Bearer ${made.json().data.key}` }
      expect([scopes, (await read(url, asKey)).statusCode]).toEqual([scopes, status])
      expect([scopes, (await read(`${url}/files/cnone`, asKey)).statusCode]).toEqual([
        scopes,
        status === 401 ? 401 : 404,
      ])
    }
    expect((await read(`${url}?token=${token}`, seller.headers)).statusCode).toBe(202)
    expect((await read(url, { ...seller.headers, ...(await signIn(payer, url)) })).statusCode).toBe(202)

    // A page of another site does not act by the cookie of its visitor.
    const cookie = `token=${buyer.headers.authorization.slice('Bearer '.length)}`
    expect((await read(url, { cookie })).statusCode).toBe(202)
    expect((await read(url, { cookie, origin })).statusCode).toBe(202)
    const elsewhere = await read(url, { cookie, origin: 'https://elsewhere.example' })
    expect([elsewhere.statusCode, elsewhere.headers['access-control-allow-origin']]).toEqual([402, '*'])

    const signed = await signIn(payer, url)
    expect((await read(url, signed)).statusCode).toBe(202)
    expect((await read(url, signed)).statusCode).toBe(401)
    expect((await read(url, await signIn(newWallet(), url))).statusCode).toBe(404)
    expect((await read(url, await signIn(payer, `${origin}/api/orders/cother`))).statusCode).toBe(401)
    expect((await read(url, { 'sign-in-with-x': 'bm9uc2Vuc2U=' })).statusCode).toBe(401)
    const late = await signIn(payer, url)
    world.wallClock.advance(301)
    expect((await read(url, late)).statusCode).toBe(401)

    const free = await order(orderUrl, { task: 'Sing again.' }, await signIn(payer, url))
    expect(free.statusCode).toBe(402)
  })

  test('says that it is overdue, and what can be done', async () => {
    const { url, token, jobId } = await newOrder()
    await world.db.run(sql`update jobs set due_at = created_at where id = ${jobId}`)
    const response = await read(url, { authorization: `Bearer ${token}` })
    expect([response.statusCode, response.headers['retry-after']]).toEqual([202, '300'])
    expect(response.json().data).toMatchObject({ status: 'IN_PROGRESS', overdue: true })
    expect(response.json().data.message).toContain(`POST /api/jobs/${jobId}/cancel`)
  })

  test('has the result as soon as it is delivered, with its files', async () => {
    const { url, token, jobId, seller, payer, orderUrl } = await newOrder()
    const bearer = { authorization: `Bearer ${token}` }
    expect((await read(url, bearer)).headers['payment-response']).toBeUndefined()
    const waiting = read(url, { ...bearer, ...LONG })
    const uploaded = await world.http.inject({
      method: 'PUT',
      url: `/api/jobs/${jobId}/uploads/song.txt`,
      headers: { ...seller.headers, 'content-type': 'text/plain' },
      payload: 'La la la.',
    })
    const delivery = { content: 'Here it is.', files: [uploaded.json().data.id] }
    expect((await world.send(seller, `/api/jobs/${jobId}/deliver`, delivery)).statusCode).toBe(200)
    const response = await waiting
    expect(response.statusCode).toBe(200)
    expect(await receiptIn(response)).toMatchObject({
      resourceUrl: `${origin}${orderUrl}`,
      payer: payer.address,
    })
    const { status, result } = response.json().data
    expect([status, result.text, result.output]).toEqual(['COMPLETED', 'Here it is.', null])
    expect(result.files).toMatchObject([{ name: 'song.txt', sizeBytes: 9 }])
    expect((await read(result.files[0].url, bearer)).body).toBe('La la la.')
    expect((await read(result.files[0].url)).statusCode).toBe(402)
    expect(await world.breaches()).toEqual([])
  })
})
