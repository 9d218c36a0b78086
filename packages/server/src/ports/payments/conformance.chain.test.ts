import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createChainClient } from '@agent-marketplace/chain'
import { decodePaymentResponseHeader } from '@x402/core/http'
import type { ExactEvmScheme } from '@x402/evm/exact/client'
import { toCoinbaseSmartAccount } from 'viem/account-abstraction'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../../app.ts'
import { startX402, type TestX402 } from '../../features/payments/testing/start-x402.ts'
import { newWallet } from '../../testing/sign-in.ts'
import { signPayment } from '../../testing/sign-payment.ts'
import { startTestChain } from '../../testing/test-chain.ts'
import type { EmbeddedChain } from '../chain/embedded.ts'
import { createInProcessPayments } from './in-process.ts'
import type { Offer } from './port.ts'
import { createRemotePayments } from './remote.ts'

/** One service that settles itself, and one that has the first settle for it, over HTTP and a line that can be bad. */
let chain: EmbeddedChain
let own: TestX402
let line: Awaited<ReturnType<typeof startLine>>
let remote: TestX402
/** The same, but it does not wait long for an outcome. */
let hasty: App
let offer: Offer
beforeAll(async () => {
  chain = await startTestChain()
  own = await startX402({ chain, isWorking: true })
  line = await startLine(own.url)
  const port = createRemotePayments({
    url: `${line.url}/api/x402/facilitator`,
    token: (await own.newOwner()).headers.authorization.replace('Bearer ', ''),
    client: chain.client,
  })
  remote = await startX402({ chain, ports: () => ({ payments: port }) })
  hasty = await remote.startBeside({ settlementWaitMs: 1_000 })
  offer = await own.offerFor()
})
afterAll(async () => {
  await remote.close()
  line.close()
  await own.close()
  await chain.close()
})

type Reply = Awaited<ReturnType<TestX402['callFee']>>
const settlementIn = (reply: Reply) => decodePaymentResponseHeader(String(reply.headers['payment-response']))
const balanceOf = (address: string) => chain.chain.usdc.balanceOf(address)
const services = { 'in process': () => own, remote: () => remote }

describe.each(['in process', 'remote'] as const)('%s', (name) => {
  const service = () => services[name]()

  test('it takes exact payments on its one network', async () => {
    expect(service().deps.payments.network).toBe('eip155:31337')
    expect((await service().deps.payments.supported()).kinds).toEqual([
      { x402Version: 2, scheme: 'exact', network: 'eip155:31337' },
    ])
  })

  test('it separates good payments from bad ones', async () => {
    const buyer = await own.newBuyer()
    const port = service().deps.payments
    const good = await signPayment(own, buyer, offer)
    expect(await port.verify(good.payment, offer)).toMatchObject({ status: 'valid' })
    const short = await signPayment(own, buyer, offer, {
      amountMicro: 1n,
    })
    expect(await port.verify(short.payment, offer)).toMatchObject({ status: 'invalid' })
    const poor = await signPayment(own, newWallet(), offer)
    expect(await port.verify(poor.payment, offer)).toEqual({
      status: 'invalid',
      reason: 'invalid_exact_evm_insufficient_balance',
    })
    expect(await port.lookUp(good.payment, 0n)).toEqual({ status: 'unused' })
  })

  test('the stock client pays; the chain shows the transfer and the journal has it once', async () => {
    const buyer = await own.newBuyer()
    const response = await service().payFee(await service().newOwner(), buyer)
    expect(response.status).toBe(200)
    const { transaction } = decodePaymentResponseHeader(response.headers.get('PAYMENT-RESPONSE') ?? '')
    expect(await balanceOf(buyer.address)).toBe(45_000_000n)
    const posted = await service().journalOf('kyc.fee')
    expect(posted.filter(({ txHash }) => txHash === transaction)).toHaveLength(2)
  })

  test('20 copies of one payment settle once, and it is good for nothing else', async () => {
    const owner = await service().newOwner()
    const buyer = await own.newBuyer()
    const payment = await signPayment(own, buyer, offer)
    const replies = await Promise.all(Array.from({ length: 20 }, () => service().callFee(owner, payment)))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
    expect(new Set(replies.map((reply) => settlementIn(reply).transaction)).size).toBe(1)
    expect(await balanceOf(buyer.address)).toBe(45_000_000n)
    expect(await service().deps.payments.lookUp(payment.payment, 0n)).toMatchObject({ status: 'transferred' })
    const other = await service().callFee(await service().newOwner(), payment)
    expect(other.statusCode).toBe(402)
    expect(settlementIn(other).errorReason).toBe('invalid_exact_evm_nonce_already_used')
  })

  test.each([true, false])('a smart wallet pays (deployed: %s)', async (isDeployed) => {
    const key = newWallet()
    const wallet = await toCoinbaseSmartAccount({ client: chain.client, owners: [key], version: '1.1' })
    await own.give(wallet.address, 50_000_000n)
    if (isDeployed) {
      const { factory = wallet.address, factoryData = '0x' } = await wallet.getFactoryArgs()
      await own.execute(await own.newBuyer(), { to: factory, data: factoryData, value: 0n })
    }
    type Payer = ConstructorParameters<typeof ExactEvmScheme>[0]
    const response = await service().payFee(await service().newOwner(), wallet as Payer)
    expect(response.status).toBe(200)
    expect(await balanceOf(wallet.address)).toBe(45_000_000n)
    expect(await chain.client.getCode({ address: wallet.address })).toMatch(/^0x../)
  })
})

test('a wallet with forty owners is not made at the cost of the service', async () => {
  const owners = Array.from({ length: 40 }, () => newWallet())
  const wallet = await toCoinbaseSmartAccount({ client: chain.client, owners, version: '1.1' })
  await own.give(wallet.address, 50_000_000n)
  type Payer = ConstructorParameters<typeof ExactEvmScheme>[0]
  const response = await own.payFee(await own.newOwner(), wallet as Payer)
  expect(response.status).toBe(402)
  expect(await chain.client.getCode({ address: wallet.address })).toBeUndefined()
  expect(await balanceOf(wallet.address)).toBe(50_000_000n)
})

describe('remote, on a bad line', () => {
  test.each(['lose responses', 'garble responses'] as const)(
    'the facilitator settles but %s: the chain decides',
    async (fault) => {
      const owner = await remote.newOwner()
      const buyer = await own.newBuyer()
      const payment = await signPayment(own, buyer, offer)
      line.spoil({ settle: fault })
      const reply = await remote.callFee(owner, payment)
      line.spoil({})
      expect(reply.statusCode).toBe(200)
      expect(await balanceOf(buyer.address)).toBe(45_000_000n)
    },
  )

  test('it never heard of the payment: pending, then sent again by the worker', async () => {
    const owner = await remote.newOwner()
    const buyer = await own.newBuyer()
    const payment = await signPayment(own, buyer, offer)
    line.spoil({ settle: 'lose requests' })
    expect((await remote.callFee(owner, payment, hasty)).statusCode).toBe(202)
    expect((await remote.callFee(owner, undefined, hasty)).statusCode).toBe(202)
    line.spoil({})
    await remote.tick('x402-look-ups')
    expect((await remote.callFee(owner, undefined, hasty)).statusCode).toBe(202)
    remote.wallClock.advance(10)
    await remote.tick('x402-look-ups')
    expect((await remote.callFee(owner, payment)).statusCode).toBe(200)
    expect(await balanceOf(buyer.address)).toBe(45_000_000n)
  })

  test('an authorization that never ends is refused before anybody is asked to send it', async () => {
    const buyer = await own.newBuyer()
    const payment = await signPayment(own, buyer, offer, {
      validBefore: 2n ** 256n - 1n,
    })
    expect((await remote.callFee(await remote.newOwner(), payment)).statusCode).toBe(402)
    expect(await balanceOf(buyer.address)).toBe(50_000_000n)
  })

  test('whether its time is over is for the chain to say, not for a clock that is a day ahead', async () => {
    const clock = { now: () => new Date(chain.sandbox.now().getTime() + 86_400_000) }
    const { payments } = remote.deps
    const ahead = await remote.startBeside({
      settlementWaitMs: 1_000,
      ports: () => ({ payments, clock }),
    })
    const owner = await remote.newOwner()
    const buyer = await own.newBuyer()
    const payment = await signPayment(own, buyer, offer)
    line.spoil({ settle: 'lose requests' })
    expect((await remote.callFee(owner, payment, ahead)).statusCode).toBe(202)
    line.spoil({})
    remote.wallClock.advance(10)
    await ahead.queue.runTicks(['x402-look-ups'])
    await expect.poll(async () => (await remote.callFee(owner, payment, ahead)).statusCode).toBe(200)
    expect(await balanceOf(buyer.address)).toBe(45_000_000n)
  })

  test('it cannot be asked: 503, and nothing is taken', async () => {
    const owner = await remote.newOwner()
    const payment = await signPayment(own, await own.newBuyer(), offer)
    line.spoil({ verify: 'lose requests' })
    expect((await remote.callFee(owner, payment)).statusCode).toBe(503)
    line.spoil({})
    expect((await remote.callFee(owner)).statusCode).toBe(402)
  })

  test('what is still unused when its time is over is rejected, and may be paid again', async () => {
    const owner = await remote.newOwner()
    const buyer = await own.newBuyer()
    const payment = await signPayment(own, buyer, offer)
    line.spoil({ settle: 'lose requests' })
    expect((await remote.callFee(owner, payment, hasty)).statusCode).toBe(202)
    line.spoil({})
    await chain.sandbox.advanceTime(3600)
    remote.wallClock.advance(10)
    await remote.tick('x402-look-ups')
    expect(settlementIn(await remote.callFee(owner, payment)).errorReason).toBe(
      'invalid_exact_evm_payload_authorization_valid_before',
    )
    expect((await remote.payFee(owner, buyer)).status).toBe(200)
  })
})

test('in process, a chain that does not respond is no verdict about a payment', async () => {
  const provider = { request: async () => Promise.reject(new Error('down')) }
  const port = createInProcessPayments({
    client: createChainClient({ chainId: 31337, provider }),
    operator: chain.chain.facts.operator,
    now: chain.sandbox.now,
  })
  const { payment } = await signPayment(own, newWallet(), offer)
  await expect(port.verify(payment, offer)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

type Fault = 'lose requests' | 'lose responses' | 'garble responses'

/** Passes requests on to `target`; calls named by `spoil` go wrong. */
async function startLine(target: string) {
  let faults: { settle?: Fault; verify?: Fault } = {}
  const server: Server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const fault = path.endsWith('/settle')
      ? faults.settle
      : path.endsWith('/verify')
        ? faults.verify
        : undefined
    if (fault === 'lose requests') return void request.socket.destroy()
    const body = await request.toArray()
    const { authorization } = request.headers
    const reply = await fetch(`${target}${path}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
      ...(request.method === 'POST' ? { body: Buffer.concat(body) } : {}),
    })
    const text = await reply.text()
    if (fault === 'lose responses') return void request.socket.destroy()
    response.writeHead(reply.status, { 'content-type': 'application/json' })
    response.end(fault === 'garble responses' ? '<html>' : text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spoil(given: { settle?: Fault; verify?: Fault }) {
      faults = given
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
