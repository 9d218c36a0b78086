import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '../../testing/start-world.ts'

/** The official client speaks to the service over the network, in both eras of the protocol. */

const SERVICE = 'creconcile000000000000001'

let world: World
let url: URL
const clients: Client[] = []
beforeAll(async () => {
  world = await startWorld()
  url = new URL('/mcp', await world.http.listen({ port: 0, host: '127.0.0.1' }))
})
afterAll(async () => {
  for (const client of clients) await client.close()
  await world.close()
})

async function connect(headers: Record<string, string> = {}, mode: 'auto' | 'legacy' = 'auto') {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  clients.push(client)
  return client
}

const newAgent = async () =>
  world.newAgent(await world.newOwner(), {
    services: [{ id: SERVICE, priceMicro: '2500000', deliveryHours: 24 }],
  })

describe.each(['auto', 'legacy'] as const)('without an account, %s', (mode) => {
  test('lists tools, finds an agent and reads its service', async () => {
    const agent = await newAgent()
    const client = await connect({}, mode)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('search_agents')
    const search = await client.callTool({ name: 'search_agents', arguments: { query: 'Ledger Lark' } })
    expect(search.structuredContent).toMatchObject({
      agents: expect.arrayContaining([
        expect.objectContaining({
          wallet: agent.wallet,
          services: [expect.objectContaining({ priceUsdc: '2.50' })],
        }),
      ]),
    })
    const service = await client.callTool({
      name: 'get_service',
      arguments: { wallet: agent.wallet, serviceId: SERVICE },
    })
    expect(service.structuredContent).toMatchObject({
      priceUsdc: '2.50',
      takesOrders: true,
      inputSchema: { required: ['task'] },
    })
  })
})

test('documents and agents are read as Markdown', async () => {
  const agent = await newAgent()
  const client = await connect()
  const { resources } = await client.listResources()
  const uri = `http://localhost:4000/agents/${agent.wallet}.md`
  expect(resources.map((resource) => resource.uri)).toEqual(
    expect.arrayContaining([uri, 'http://localhost:4000/llms.txt', 'http://localhost:4000/docs/errors.md']),
  )
  const texts = await Promise.all(
    [uri, 'http://localhost:4000/docs/errors.md'].map(
      async (uri) => (await client.readResource({ uri })).contents[0],
    ),
  )
  expect(texts).toEqual([
    expect.objectContaining({ mimeType: 'text/markdown', text: expect.stringContaining('# Ledger Lark') }),
    expect.objectContaining({ text: expect.stringContaining('PAYMENT_REQUIRED') }),
  ])
  await expect(client.readResource({ uri: 'http://localhost:4000/agents/0x1.md' })).rejects.toThrow()
})

describe('with an account', () => {
  test('its jobs are read, and those of others are not', async () => {
    const agent = await newAgent()
    const [buyer, other] = [await world.newOwner(), await world.newOwner()]
    const made = await world.http.inject({
      method: 'POST',
      url: '/api/jobs',
      headers: buyer.headers,
      payload: {
        agentId: agent.id,
        serviceId: SERVICE,
        title: 'Reconcile',
        description: 'October.',
        agreedPrice: '2500000',
      },
    })
    const jobId: string = made.json().data.jobId
    const client = await connect(buyer.headers)
    const mine = await client.callTool({ name: 'my_jobs', arguments: { role: 'client' } })
    expect(mine.structuredContent).toEqual({
      jobs: [expect.objectContaining({ jobId, status: 'PENDING', priceUsdc: '2.50' })],
      nextCursor: null,
    })
    const waited = await client.callTool({ name: 'wait_for_job', arguments: { jobId, seconds: 0 } })
    expect(waited.structuredContent).toMatchObject({
      status: 'PENDING',
      page: `http://localhost:4000/jobs/${jobId}`,
    })
    expect(waited.content[0]).toMatchObject({ text: expect.stringContaining('call wait_for_job again') })
    const stranger = await connect(other.headers)
    const hidden = await stranger.callTool({ name: 'get_job', arguments: { jobId } })
    expect([hidden.isError, hidden.structuredContent]).toEqual([
      true,
      { error: expect.objectContaining({ code: 'NOT_FOUND' }) },
    ])
  })

  test('401 has a challenge, without a credential and with one that is not valid', async () => {
    const call = (name: string, headers: Record<string, string> = {}) =>
      world.http.inject({
        method: 'POST',
        url: '/mcp',
        headers: { accept: 'application/json, text/event-stream', ...headers },
        payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } },
      })
    const anonymous = await call('my_jobs')
    expect(anonymous.statusCode).toBe(401)
    expect(anonymous.headers['www-authenticate']).toBe('Bearer error="invalid_token", scope="read"')
    const invalid = await call('search_agents', { authorization: 'Bearer nonsense' })
    expect(invalid.statusCode).toBe(401)
    expect((await call('search_agents')).statusCode).toBe(200)
  })
})

test('pages of other sites are rejected, and so is what is no JSON', async () => {
  const post = (headers: Record<string, string>, payload: string) =>
    world.http.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      payload,
    })
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  expect((await post({ origin: 'https://elsewhere.example' }, ping)).statusCode).toBe(403)
  expect((await post({ origin: 'http://localhost:4000' }, ping)).statusCode).toBe(200)
  expect((await post({}, '{')).statusCode).toBe(400)
  expect((await world.http.inject('/mcp')).statusCode).toBe(405)
})
