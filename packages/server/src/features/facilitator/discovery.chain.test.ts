import type { AddressInfo } from 'node:net'
import { HTTPFacilitatorClient } from '@x402/core/server'
import {
  type DiscoveryResource,
  isValidServiceName,
  sanitizeTags,
  validateDiscoveryExtension,
  withBazaar,
} from '@x402/extensions/bazaar'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { seedCatalogue } from '../../demo/testing/seed-catalogue.ts'
import { sql } from '../../platform/db/sql.ts'
import { startWorld, type World } from '../../testing/start-world.ts'
import type { WorldAgent } from '../../testing/world/world-people.ts'

let world: World
let url: string
let client: ReturnType<typeof withBazaar<HTTPFacilitatorClient>>
beforeAll(async () => {
  // The stock validator warns about every format, since it knows none.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  world = await startWorld()
  await world.http.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(world.http.server.address() as AddressInfo).port}/api/x402/facilitator`
  client = withBazaar(new HTTPFacilitatorClient({ url }))
  await seedCatalogue(world.db)
  await world.db.run(sql`
    update agents set x402_enabled = true,
      services = (select jsonb_agg(service || '{"x402Enabled": true}') from jsonb_array_elements(services) service)`)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const bazaar = () => client.extensions.bazaar
const list = (params: Parameters<ReturnType<typeof bazaar>['listResources']>[0] = {}) =>
  bazaar().listResources(params)

async function all(): Promise<DiscoveryResource[]> {
  const items: DiscoveryResource[] = []
  for (let offset = 0; ; offset += 30) {
    const page = await list({ limit: 30, offset })
    items.push(...page.items)
    if (items.length >= page.pagination.total) return items
  }
}

test('the stock client reads the whole catalogue: every item has a URL of its own and passes the stock validator', async () => {
  const items = await all()
  expect(items).toHaveLength(80)
  expect(new Set(items.map(({ resource }) => resource)).size).toBe(80)
  const problems = items.flatMap(({ resource, extensions, serviceName, tags }) => {
    const bazaar = extensions?.bazaar as Parameters<typeof validateDiscoveryExtension>[0]
    const { valid, errors = [] } = validateDiscoveryExtension(bazaar)
    const hasGoodWords = isValidServiceName(serviceName) && sanitizeTags(tags)?.length === tags?.length
    return valid && hasGoodWords ? [] : [`${resource}: ${errors.join(', ')}`]
  })
  expect(problems).toEqual([])
  const [item] = items
  expect(item).toMatchObject({
    resource: expect.stringMatching(
      /^http:\/\/localhost:4000\/api\/agents\/0x[0-9a-f]{40}\/services\/\w+\/orders$/,
    ),
    type: 'http',
    x402Version: 2,
    accepts: [
      { scheme: 'exact', network: 'eip155:31337', amount: '1000000', payTo: expect.stringMatching(/^0x/) },
    ],
    lastUpdated: expect.stringMatching(/^\d{4}-.*Z$/),
    mimeType: 'application/json',
    metadata: { score: 1, ratingCount: 0, deliveryHours: 24, delivery: { onTimeSample: 10 } },
  })
  // Nearly all schemas of the catalogue are shown in full.
  const linked = items.filter((one) => JSON.stringify(one.extensions).includes('returns the schema'))
  expect(linked.length).toBeLessThan(8)
})

test('filters keep what fits, and what makes no sense is a 400', async () => {
  const [item] = (await list({ limit: 1 })).items
  const payTo = String(item?.accepts[0]?.payTo)
  const ofPayee = await list({ payTo: payTo.toUpperCase().replace('0X', '0x'), limit: 1, offset: 1 })
  expect(ofPayee.pagination).toEqual({ limit: 1, offset: 1, total: 2 })
  expect(ofPayee.items.map(({ accepts }) => accepts[0]?.payTo)).toEqual([payTo])
  for (const kept of [
    { type: 'http' },
    { scheme: 'exact' },
    { network: 'eip155:31337' },
    { extensions: 'bazaar' },
    { type: 'http', scheme: 'exact', network: 'eip155:31337', extensions: 'bazaar' },
  ])
    expect((await list({ ...kept, limit: 1 })).pagination.total, JSON.stringify(kept)).toBe(80)
  for (const empty of [
    { type: 'mcp' },
    { scheme: 'upto' },
    { network: 'base' },
    { extensions: 'bazaar,builder-code' },
    { payTo: `0x${'9'.repeat(40)}` },
  ])
    expect(await list(empty), JSON.stringify(empty)).toMatchObject({ items: [], pagination: { total: 0 } })
  for (const wrong of ['type=ftp', 'payTo=me', 'limit=0', 'limit=101', 'offset=-1', 'offset=x'])
    expect((await fetch(`${url}/discovery/resources?${wrong}`)).status, wrong).toBe(400)
  for (const wrong of ['', 'query=', 'query=x&cursor=made-up', 'query=x&limit=101'])
    expect((await fetch(`${url}/discovery/search?${wrong}`)).status, wrong).toBe(400)
})

test('search finds a sentence in the order of agent search, page by page', async () => {
  const query = 'translate my website to German'
  const found = await world.http.inject({ url: '/api/agents/search', query: { q: query, limit: '100' } })
  const names: string[] = found.json().data.agents.map(({ name }: { name: string }) => name)
  expect(names[0]).toBe('Polyglot Pelican')
  const seen: DiscoveryResource[] = []
  let cursor: string | undefined
  do {
    const page = await bazaar().search({ query, limit: 3, ...(cursor ? { cursor } : {}) })
    seen.push(...page.resources)
    cursor = page.pagination?.cursor ?? undefined
  } while (cursor)
  expect(seen).toMatchObject(
    names.flatMap((name) => [{ metadata: { agentName: name } }, { metadata: { agentName: name } }]),
  )
  expect(new Set(seen.map(({ resource }) => resource)).size).toBe(seen.length)
  const payTo = String(seen[0]?.accepts[0]?.payTo)
  const ofPayee = await bazaar().search({ query, payTo })
  // Not the whole offers: how long a payment stays valid follows the chain's clock, by the minute.
  expect(ofPayee.resources.map(({ resource }) => resource)).toEqual(
    seen.slice(0, 2).map(({ resource }) => resource),
  )
  expect((await bazaar().search({ query: 'plumbing', payTo })).resources).toEqual([])
  expect((await bazaar().search({ query, network: 'base' })).resources).toEqual([])
})

interface Offered {
  name: string
  priceUSDC: string
  x402Enabled?: boolean
  inputSchema?: object
}

async function offer(agent: WorldAgent, services: Offered[]): Promise<void> {
  const { statusCode } = await world.http.inject({
    method: 'PATCH',
    url: `/api/agents/${agent.wallet}`,
    headers: agent.owner.headers,
    payload: { services },
  })
  expect(statusCode).toBe(200)
}

test('only what can be ordered this way is listed, and only as long as it can', async () => {
  const agent = await world.newAgent(await world.newOwner())
  const namesOf = async () =>
    (await list({ payTo: agent.wallet })).items.map(({ serviceName }) => serviceName)
  const totalOf = async () => (await list({ limit: 1 })).pagination.total
  const before = await totalOf()
  const cheap = { name: 'Cheap', priceUSDC: '1000' }
  await offer(agent, [
    cheap,
    { name: 'Dust', priceUSDC: '999' },
    { name: 'Below escrow', priceUSDC: '99999999' },
    { name: 'Escrow', priceUSDC: '100000000' },
    { name: 'Not by x402', priceUSDC: '1000000', x402Enabled: false },
    {
      name: 'Odd names',
      priceUSDC: '1000000',
      inputSchema: { type: 'object', properties: { $ref: { type: 'string' } } },
    },
  ])
  expect(await namesOf()).toEqual(['Cheap', 'Below escrow', 'Odd names'])
  expect(await totalOf()).toBe(before + 3)

  const timesOf = async () =>
    (await list({ payTo: agent.wallet })).items.map(({ lastUpdated }) => lastUpdated)
  const longAgo = '2026-01-01T00:00:00.000Z'
  await world.db.run(sql`update payable_services set updated_at = ${longAgo} where agent_id = ${agent.id}`)
  await offer(agent, [cheap, { name: 'Below escrow', priceUSDC: '5000000' }])
  expect(await timesOf()).toEqual([longAgo, expect.not.stringMatching(longAgo)])
  expect(await totalOf()).toBe(before + 2)

  const move = (action: string) =>
    world.http.inject({
      method: 'POST',
      url: `/api/agents/${agent.wallet}/${action}`,
      headers: agent.owner.headers,
    })
  expect((await move('pause')).statusCode).toBe(200)
  expect(await namesOf()).toEqual([])
  expect(await totalOf()).toBe(before)
  expect((await move('resume')).statusCode).toBe(200)
  expect(await namesOf()).toEqual(['Cheap', 'Below escrow'])
  await world.db.run(sql`update agents set category_key = 'elsewhere' where id = ${agent.id}`)
  expect(await totalOf()).toBe(before + 2)
})
