import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMarketplaceClient, usdc } from '../packages/sdk/src/index.ts'
import { createBalances } from './client.ts'
import { createStockBuyer } from './programs/stock-buyer.ts'
import { builtProgram } from './service/built-program.ts'
import { preparedDirectory } from './service/prepared-directory.ts'
import { compileCache, endServices, freePort, startService } from './service/service-process.ts'

/** A stock x402 agent finds a service, pays for it and gets the result, without an account. */

const PRICE = 2_500_000n
const directory = preparedDirectory()
const dataDir = `${directory.path}/data`
const wallet = privateKeyToAccount(generatePrivateKey())
/** Where the agent stops until the test lets it go on. */
let atWork: { began: () => void; goOn: Promise<void> } | undefined
const agent = createServer(async (request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end()
  const { job } = (await json(request)) as { job: { input: { csv: string } } }
  atWork?.began()
  await atWork?.goOn
  response.end(JSON.stringify({ output: { rows: job.input.csv.trim().split('\n').length } }))
})
let url: string
let port: number
let buyer: ReturnType<typeof createStockBuyer>
let sellersAgent: string
let balancesOf: ReturnType<typeof createBalances>

beforeAll(async () => {
  port = await freePort()
  url = `http://127.0.0.1:${port}`
  await startService({ dataDir, port, environment: { RATE_LIMITS: 'off', PUBLIC_URL: url } })
  agent.listen(0, '127.0.0.1')
  await once(agent, 'listening')
  const seller = createMarketplaceClient({
    baseUrl: url,
    account: privateKeyToAccount(generatePrivateKey()),
  })
  await seller.registerOwner({
    entityType: 'COMPANY',
    entityName: 'Counters',
    country: 'GB',
    email: 'c@example.com',
  })
  await seller.setSandboxKyc({ status: 'VERIFIED', feePaid: true })
  const { walletAddress } = await seller.createAgent({
    name: 'Row Counter',
    type: 'data',
    bio: 'Counts rows.',
    services: [
      {
        name: 'Count the rows of a table',
        priceUSDC: PRICE.toString(),
        deliveryTime: 1,
        inputSchema: {
          type: 'object',
          properties: { csv: { type: 'string', minLength: 1 } },
          required: ['csv'],
        },
        outputSchema: { type: 'object', properties: { rows: { type: 'integer' } }, required: ['rows'] },
        examples: [{ input: { csv: 'a,b' }, output: { rows: 1 } }],
      },
    ],
  })
  sellersAgent = walletAddress
  const { port: agentPort } = agent.address() as AddressInfo
  await seller.setAgentConnection(walletAddress, { kind: 'HTTP', url: `http://127.0.0.1:${agentPort}/` })
  await seller.sandboxFaucet({ address: wallet.address, amount: usdc('10') })
  const config = await seller.call('getConfig')
  balancesOf = createBalances(url, config.data.usdc.address)
  buyer = createStockBuyer(wallet, `${url}/api/x402/facilitator`)
})
afterAll(async () => {
  agent.closeAllConnections()
  agent.close()
  await endServices()
  directory.remove()
})

const balances = () => balancesOf({ buyer: wallet.address, agent: sellersAgent })

/** The books, checked by a process of their own beside the running service. */
async function checkInvariants(): Promise<{ code: number; output: string }> {
  const script = builtProgram('server/scripts/check-invariants.ts')
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, ...compileCache, DATA_DIR: dataDir, PORT: String(port), PUBLIC_URL: url },
    stdio: 'pipe',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  return { code, output }
}

test('stock packages alone discover, pay, get the result, and get it again', async () => {
  // It is listed once it is in the registry on chain.
  await expect.poll(() => buyer.find('count rows')).toHaveLength(1)
  const [found] = await buyer.find('count rows')
  if (!found) throw new Error('the service is gone')
  expect(found.url).toContain(`/api/agents/${sellersAgent}/services/`)
  expect([found.amount, found.example]).toEqual([String(PRICE), { csv: 'a,b' }])

  const wrong = await buyer.order(found, { csv: '' })
  expect([wrong.status, wrong.issues?.map(({ path }) => path)]).toEqual([400, ['/csv']])
  expect(await balances()).toEqual({ buyer: 4n * PRICE, agent: 0n })

  const { ordered: first, proof } = await buyer.orderWithProof(found, { csv: 'a\nb\nc' })
  expect(proof).toMatchObject({
    offer: { amount: String(PRICE), payTo: sellersAgent, resourceUrl: found.url },
    receipt: { payer: wallet.address, transaction: first.transaction, resourceUrl: found.url },
    matches: true,
  })
  expect([first.status, first.data.status, first.data.result?.output]).toEqual([
    200,
    'COMPLETED',
    { rows: 3 },
  ])
  expect(first.transaction).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await balances()).toEqual({ buyer: 3n * PRICE, agent: PRICE })

  const opened = await buyer.open(found, first.data.url)
  expect([opened.status, opened.data]).toEqual([200, first.data])

  // The connection is lost while the agent is at work on what was paid for.
  const began = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  atWork = { began: began.resolve, goOn: goOn.promise }
  const lost = new AbortController()
  const once = { id: `storefront_${generatePrivateKey()}` }
  const cut = expect(buyer.order(found, { csv: 'a\nb' }, { ...once, signal: lost.signal })).rejects.toThrow()
  await began.promise
  lost.abort()
  await cut
  goOn.resolve()
  const [again, beside] = await Promise.all([
    buyer.order(found, { csv: 'a\nb' }, once),
    buyer.order(found, { csv: 'a\nb' }, once),
  ])
  expect([again.status, again.data.result?.output]).toEqual([200, { rows: 2 }])
  expect(beside).toEqual(again)
  expect(again.data.jobId).not.toBe(first.data.jobId)
  expect(await balances()).toEqual({ buyer: 2n * PRICE, agent: 2n * PRICE })

  // Two that are new, at the same time.
  const twice = { id: `storefront_${generatePrivateKey()}` }
  const both = await Promise.all([
    buyer.order(found, { csv: 'x' }, twice),
    buyer.order(found, { csv: 'x' }, twice),
  ])
  expect(both.map(({ status, data }) => [status, data.result?.output])).toEqual([
    [200, { rows: 1 }],
    [200, { rows: 1 }],
  ])
  expect(both[0].data.jobId).toBe(both[1].data.jobId)
  expect(await balances()).toEqual({ buyer: PRICE, agent: 3n * PRICE })
  const { code, output } = await checkInvariants()
  expect(code, output).toBe(0)
})
