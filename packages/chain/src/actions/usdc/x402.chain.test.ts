import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { x402Facilitator } from '@x402/core/facilitator'
import { decodePaymentResponseHeader } from '@x402/core/http'
import { type HTTPAdapter, x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server'
import type { SupportedResponse } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme as ClientScheme } from '@x402/evm/exact/client'
import { ExactEvmScheme as FacilitatorScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmScheme as ServerScheme } from '@x402/evm/exact/server'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { createWalletClient, custom, type Hex, publicActions, type VerifyTypedDataParameters } from 'viem'
import { toCoinbaseSmartAccount } from 'viem/account-abstraction'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainOf } from '../../chains.ts'
import { callTo } from '../../preparedCall.ts'
import { startTestDevnet, type TestDevnet, testAccount } from '../../testing/startTestDevnet.ts'
import { findTransfers } from './findTransfers.ts'
import { getUsdcBalance } from './getUsdcBalance.ts'

const network = 'eip155:31337'
const payTo = testAccount(5).address
const PRICE_MICRO = 42_000_000n

let running: TestDevnet
let server: Server
let url: string

beforeAll(async () => {
  running = await startTestDevnet()
  const wallet = createWalletClient({
    account: running.devnet.roles.operator,
    chain: chainOf(31337),
    transport: custom(running.devnet.provider),
    pollingInterval: 10,
  }).extend(publicActions)
  const signer = {
    ...wallet,
    address: wallet.account.address,
    // The two libraries describe the same value with types of their own.
    verifyTypedData: (parameters: object) => wallet.verifyTypedData(parameters as VerifyTypedDataParameters),
  }
  const facilitator = new x402Facilitator().register(
    network,
    new FacilitatorScheme(toFacilitatorEvmSigner(signer), {
      eip6492AllowedFactories: [running.devnet.addresses.smartWalletFactory],
    }),
  )
  const resources = new x402ResourceServer({
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    settle: (payload, requirements) => facilitator.settle(payload, requirements),
    getSupported: async () => facilitator.getSupported() as SupportedResponse,
  }).register(network, new ServerScheme())
  const price = {
    asset: running.devnet.addresses.usdc,
    amount: PRICE_MICRO.toString(),
    extra: { name: 'USDC', version: '2' },
  }
  const paid = new x402HTTPResourceServer(resources, {
    'POST /work': { accepts: { scheme: 'exact', network, maxTimeoutSeconds: 300, payTo, price } },
  })
  await paid.initialize()
  server = createServer(async (request, response) => {
    const adapter = adapterOf(request)
    const result = await paid.processHTTPRequest({
      adapter,
      path: adapter.getPath(),
      method: adapter.getMethod(),
    })
    if (result.type === 'payment-error') {
      response
        .writeHead(result.response.status, result.response.headers)
        .end(JSON.stringify(result.response.body ?? {}))
      return
    }
    if (result.type === 'no-payment-required') {
      response.writeHead(200).end('free')
      return
    }
    const settled = await paid.processSettlement(
      result.paymentPayload,
      result.paymentRequirements,
      result.declaredExtensions,
    )
    response.writeHead(settled.success ? 200 : 402, settled.headers).end('the work')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/work`
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await running.stop()
})

const adapterOf = (request: IncomingMessage): HTTPAdapter => ({
  getHeader: (name) => {
    const value = request.headers[name.toLowerCase()]
    return Array.isArray(value) ? value[0] : value
  },
  getMethod: () => request.method ?? 'GET',
  getPath: () => request.url ?? '/',
  getUrl: () => `http://127.0.0.1${request.url}`,
  getAcceptHeader: () => request.headers.accept ?? '',
  getUserAgent: () => request.headers['user-agent'] ?? '',
})

type Payer = ConstructorParameters<typeof ClientScheme>[0]

const payAs = (payer: Payer): Promise<Response> => {
  const client = new x402Client().register('eip155:*', new ClientScheme(payer)).setSpendControls({
    maxAmountPerPayment: '$100',
    allowedAssets: [{ network, asset: running.devnet.addresses.usdc }],
  })
  return wrapFetchWithPayment(fetch, client)(url, { method: 'POST' })
}

test('the stock client pays through the devnet’s USDC, and the chain shows it', async () => {
  expect((await fetch(url, { method: 'POST' })).status).toBe(402)
  const buyer = testAccount(1)
  await running.devnet.faucet({ address: buyer.address, amountMicro: 50_000_000n, gasWei: 0n })
  const response = await payAs(buyer)
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('the work')
  const settlement = decodePaymentResponseHeader(response.headers.get('PAYMENT-RESPONSE') ?? '')
  expect(settlement).toMatchObject({ success: true, network, payer: buyer.address })
  const { usdc } = running.devnet.addresses
  expect(await findTransfers(running.client, { usdc, hash: settlement.transaction as Hex })).toMatchObject({
    status: 'success',
    transfers: [{ from: buyer.address, to: payTo, amountMicro: PRICE_MICRO }],
    authorizations: [{ authorizer: buyer.address }],
  })
  expect(await getUsdcBalance(running.client, { usdc, owner: payTo })).toBe(PRICE_MICRO)
})

test('a deployed smart wallet pays as well, by the overload with bytes', async () => {
  const account = await toCoinbaseSmartAccount({
    client: running.client,
    owners: [testAccount(2)],
    version: '1.1',
  })
  const { factory, factoryData } = await account.getFactoryArgs()
  await running.execute(testAccount(3), callTo(factory ?? account.address, factoryData ?? '0x'))
  await running.devnet.faucet({ address: account.address, amountMicro: 50_000_000n, gasWei: 0n })
  const before = await getUsdcBalance(running.client, { usdc: running.devnet.addresses.usdc, owner: payTo })
  const response = await payAs(account as Payer)
  expect(response.status).toBe(200)
  const after = await getUsdcBalance(running.client, { usdc: running.devnet.addresses.usdc, owner: payTo })
  expect(after - before).toBe(PRICE_MICRO)
})

test('an empty wallet pays nothing and gets nothing', async () => {
  const response = await payAs(testAccount(8))
  expect(response.status).toBe(402)
})
