import { defaultInputSchema, defaultOutputSchema } from '@agent-marketplace/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { formA, formB, startAgents } from './testing/start-agents.ts'

/** Services that say what you get, through the routes of agents and in both forms. */

const api = await startAgents()
afterAll(() => api.close())

const inputSchema = {
  type: 'object',
  properties: {
    zebra: { type: 'string', title: 'Asked first' },
    amount: { type: 'integer', minimum: 1 },
  },
  required: ['zebra'],
}
const outputSchema = { type: 'object', properties: { score: { type: 'number' } }, required: ['score'] }
const described = {
  name: 'Scoring',
  priceUSDC: '5000000',
  description: 'A **score** for every row.\n',
  included: ['Up to 100 rows', ' A summary '],
  inputSchema,
  outputSchema,
  examples: [{ title: 'One row', input: { zebra: 'yes' }, output: { score: 0.9 } }],
}
const plain = { name: 'Quick look', priceUSDC: '40000000' }

async function create(payload: object) {
  const seller = await api.newSeller()
  const created = await api.create(seller, payload)
  const url = `/api/agents/${created.json().data?.walletAddress}`
  const servicesOf = async () => (await api.send('GET', url)).json().data.agent.services
  return { seller, created, url, servicesOf }
}

const defaults = {
  description: null,
  included: [],
  inputSchema: defaultInputSchema,
  outputSchema: defaultOutputSchema,
  inputRequired: false,
  examples: [],
}

describe('201', () => {
  test.each([
    ['A', formA],
    ['B', formB],
  ])('form %s: what is said is shown, and what is not said has its default', async (_form, body) => {
    const { created, servicesOf } = await create({ ...body, services: [described, plain] })
    expect(created.statusCode).toBe(201)
    const [scoring, quickLook] = await servicesOf()
    expect(scoring).toMatchObject({
      name: 'Scoring',
      description: 'A **score** for every row.',
      included: ['Up to 100 rows', 'A summary'],
      inputSchema,
      outputSchema,
      inputRequired: true,
      examples: described.examples,
    })
    expect(quickLook).toMatchObject({ name: 'Quick look', deliveryTime: 24, x402Enabled: true, ...defaults })
  })

  test('fields of a schema stay in the order in which they were written', async () => {
    const { servicesOf } = await create({ ...formB, services: [described] })
    const [scoring] = await servicesOf()
    expect(Object.keys(scoring.inputSchema.properties)).toEqual(['zebra', 'amount'])
  })

  test('lists and search stay as small as they were', async () => {
    await create({ ...formB, name: 'Searchable Swift', services: [described] })
    const found = await api.send('GET', '/api/agents/search?q=Searchable')
    for (const { services } of found.json().data.agents) {
      for (const service of services) {
        expect(Object.keys(service)).toEqual(['id', 'name', 'priceUSDC', 'deliveryTime', 'x402Enabled'])
      }
    }
  })

  test('search names the first sample work, by its title or else by its service', async () => {
    const sampleTitleOf = async (name: string) => {
      const found = await api.send('GET', `/api/agents/search?q=${encodeURIComponent(name)}`)
      return found.json().data.agents[0].sampleTitle
    }
    const offered = { ...formB, name: 'Samplewise', services: [plain, described] }
    const { seller, created, url } = await create(offered)
    expect((await api.judge(created.json().data.id, 'approve')).statusCode).toBe(200)
    expect(await sampleTitleOf('Samplewise')).toBe('One row')
    const untitled = { ...described, examples: [{ input: { zebra: 'no' }, output: { score: 0.1 } }] }
    for (const [services, title] of [
      [[untitled, described], 'Scoring'],
      [[plain], null],
    ]) {
      expect((await api.send('PATCH', url, seller.headers, { services })).statusCode).toBe(200)
      expect(await sampleTitleOf('Samplewise')).toBe(title)
    }
  })
})

describe('PATCH', () => {
  test('what was read can be sent back: a default stays a default', async () => {
    const { seller, url, servicesOf } = await create({ ...formB, services: [described, plain] })
    const before = await servicesOf()
    const changed = await api.send('PATCH', url, seller.headers, { services: before })
    expect(changed.statusCode).toBe(200)
    expect(await servicesOf()).toEqual(before)
  })

  test('a list of services replaces the old one, with all that they said', async () => {
    const { seller, url, servicesOf } = await create({ ...formB, services: [described] })
    const [before] = await servicesOf()
    const { name, priceUSDC } = described
    await api.send('PATCH', url, seller.headers, { services: [{ name, priceUSDC }] })
    expect(await servicesOf()).toMatchObject([{ id: before.id, ...defaults }])
    await api.send('PATCH', url, seller.headers, { bio: 'Counts.' })
    expect(await servicesOf()).toMatchObject([{ id: before.id, ...defaults }])
  })
})

describe('400 names the field of the service', () => {
  test.each<[string, object, string]>([
    ['a list as input', { inputSchema: { type: 'array' } }, '/services/0/inputSchema/type'],
    ['an unknown keyword', { outputSchema: { kind: 'x' } }, '/services/0/outputSchema/kind'],
    [
      'a catastrophic pattern that no engine here runs',
      { inputSchema: { type: 'object', properties: { a: { pattern: '^(?!b)(a+)+$' } } } },
      '/services/0/inputSchema/properties/a/pattern',
    ],
    [
      'a reference to elsewhere',
      { outputSchema: { $ref: 'http://169.254.169.254/latest' } },
      '/services/0/outputSchema/$ref',
    ],
    [
      'a sample that does not fit its input',
      { inputSchema, outputSchema, examples: [{ input: { zebra: 5 }, output: { score: 1 } }] },
      '/services/0/examples/0/input/zebra',
    ],
    [
      'a sample that does not fit its output',
      { outputSchema, examples: [{ input: { task: 'x' }, output: 'high' }] },
      '/services/0/examples/0/output',
    ],
    [
      'a sample without a task',
      { examples: [{ input: {}, output: 'x' }] },
      '/services/0/examples/0/input/task',
    ],
    ['too many lines', { included: Array.from({ length: 21 }, () => 'x') }, '/services/0/included'],
    ['no words', { description: '  ' }, '/services/0/description'],
  ])('%s', async (_name, terms, path) => {
    for (const body of [formA, formB]) {
      const { created } = await create({ ...body, services: [{ ...plain, ...terms }] })
      expect(created.statusCode).toBe(400)
      expect(created.json().error).toMatchObject({ code: 'VALIDATION_ERROR' })
      expect(created.json().error.details.issues[0].path).toBe(path)
    }
  })
})
