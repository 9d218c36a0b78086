import { pino } from 'pino'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../../../app.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { EmbeddingsPort } from '../../../ports/embeddings/port.ts'
import { REJECTED_WORD, startEmbeddings } from '../../../ports/embeddings/testing/start-embeddings.ts'
import { PATIENCE_MS } from '../../../testing/patience.ts'
import { type Reply, respondWith, silence } from '../../../testing/processes/start-receiver.ts'
import { startWorld, type WorldOverrides } from '../../../testing/start-world.ts'
import { plainAgent, type SeededAgent, seedAgents, seedId } from '../testing/seed-agents.ts'

/** The world itself has no embeddings: what it finds is what words find. */
const world = await startWorld()
const service = await startEmbeddings()
afterAll(async () => {
  await world.close()
  await service.close()
})

const agent = (index: number, fields: Partial<SeededAgent>): SeededAgent => ({
  ...plainAgent,
  id: seedId(index),
  ...fields,
})
await seedAgents(world.db, [
  agent(1, { name: 'Redline', description: 'Edits essays.', lowestPriceMicro: 9n, score: 3 }),
  agent(2, { name: 'Lingo', description: 'Translates websites.' }),
  agent(3, { name: 'Sentry', description: 'Audits contracts.', lowestPriceMicro: 2n }),
  agent(4, { name: 'Crow', description: 'Edits captions.', category: 'art', lowestPriceMicro: 5n }),
  agent(5, { name: 'Hidden', description: 'Edits novels.', isApproved: false }),
  agent(6, { name: 'Lark', description: 'Keeps books.' }),
])

const lines: { msg: string }[] = []
const environment = { EMBEDDINGS_URL: service.url, EMBEDDINGS_API_KEY: 'key of the service' }
const startMeaning = ({ ports, ...overrides }: WorldOverrides = {}) =>
  world.startBeside({
    environment,
    ports: (own) => ({
      meaningWaitMs: PATIENCE_MS,
      log: pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) }),
      ...ports?.(own),
    }),
    ...overrides,
  })
const embed = (app: App) => app.queue.runTicks(['agents-embedding'])
const app = await startMeaning()
await embed(app)

/** A parameter that nobody knows keeps the response out of the kept pages: these tests change agents behind the service. */
async function find(query: string, { http }: Pick<App, 'http'> = app) {
  const response = await http.inject(`/api/agents/search?${query}&kept=no`)
  expect(response.statusCode).toBe(200)
  const { agents, total, fullMatches } = response.json().data
  return { names: agents.map(({ name }: { name: string }) => name), total, fullMatches }
}

/** What the log says of embeddings. */
const said = () => lines.map(({ msg }) => msg).filter((msg) => msg.includes('embed'))

async function gauge(name: string, { http }: Pick<App, 'http'> = app): Promise<number> {
  const { body } = await http.inject('/metrics')
  return Number(body.match(new RegExp(`^${name} (\\d+)$`, 'm'))?.[1])
}

beforeEach(() => {
  service.work()
  service.received.length = 0
  lines.length = 0
  // Longer than anybody rests.
  world.wallClock.advance(3600)
})

describe('where a service is set', () => {
  test('agents are found by another word for the same', async () => {
    expect(await find('q=proofread', world)).toEqual({ names: [], total: 0, fullMatches: 0 })
    expect(await find('q=proofread')).toEqual({ names: ['Redline', 'Crow'], total: 2, fullMatches: 0 })
    expect(service.requests()).toMatchObject([
      {
        method: 'POST',
        path: '/v1/embeddings',
        headers: { authorization: 'Bearer key of the service' },
        model: 'text-embedding-3-small',
        input: ['proofread'],
      },
    ])
    expect(await gauge('search_embedded_agents')).toBe(5)
  })

  test('agents with every word come first, and then those that have a word or mean the same', async () => {
    expect(await find('q=edits+captions')).toEqual({ names: ['Crow', 'Redline'], total: 2, fullMatches: 1 })
    const { names, total, fullMatches } = await find('q=proofread+contracts')
    expect(names.toSorted()).toEqual(['Crow', 'Redline', 'Sentry'])
    expect({ total, fullMatches }).toEqual({ total: 3, fullMatches: 0 })
  })

  test('filters are exact, and a sort orders all', async () => {
    expect((await find('q=proofread&type=art')).names).toEqual(['Crow'])
    expect((await find('q=proofread&maxPrice=4')).names).toEqual([])
    expect((await find('q=proofread+contracts&sort=price')).names).toEqual(['Sentry', 'Crow', 'Redline'])
  })

  test('pages have neither a gap nor a repeat, even when the service fails in between', async () => {
    const whole = await find('q=polish+contracts')
    service.respondWith(respondWith(500))
    await find('q=typos')
    expect(await gauge('search_embeddings_failing')).toBe(1)
    const pages = [0, 1, 2, 3].map((offset) => find(`q=polish+contracts&limit=1&offset=${offset}`))
    const found = await Promise.all(pages)
    expect(found.flatMap(({ names }) => names)).toEqual(whole.names)
    expect(found.map(({ total }) => total)).toEqual([3, 3, 3, 3])
  })

  test('searches of the same text ask once, and where words find enough nobody is asked', async () => {
    await Promise.all([1, 2, 3].map(() => find('q=localise')))
    expect((await find('q=localise')).names).toEqual(['Lingo'])
    await find('q=')
    await find('type=art')
    expect(service.received).toHaveLength(1)
  })
})

describe('where the service fails', () => {
  const vectors = (...embeddings: unknown[]): Reply =>
    respondWith(200, JSON.stringify({ data: embeddings.map((embedding, index) => ({ index, embedding })) }))

  const failures: [string, Reply][] = [
    ['an error', respondWith(503, 'down')],
    ['a redirect', respondWith(302, '', { location: service.url })],
    ['no JSON', respondWith(200, '<html>')],
    ['no vectors', respondWith(200, '{}')],
    ['a vector too many', vectors([1, 0, 0, 0], [1, 0, 0, 0])],
    ['an index of nobody', respondWith(200, '{"data":[{"index":7,"embedding":[1,0,0,0]}]}')],
    ['numbers that are none', vectors([1, null, 'NaN', 0])],
    ['numbers without end', respondWith(200, '{"data":[{"index":0,"embedding":[1e999,0,0,0]}]}')],
    ['no direction', vectors([0, 0, 0, 0])],
    ['another dimension', vectors([1, 0, 0])],
    ['too many dimensions', vectors(Array.from({ length: 5_000 }, () => 1))],
    ['a response without end', respondWith(200, `[${'1,'.repeat(200_000)}1]`)],
    ['a broken connection', (request) => void request.socket.destroy()],
  ]
  test.each(failures)('%s: search goes by words', async (name, reply) => {
    service.respondWith(reply)
    const query = `q=${encodeURIComponent(`proofread contracts, ${name}`)}`
    expect(await find(query)).toEqual(await find(query, world))
    expect(await gauge('search_embeddings_failing')).toBe(1)
    expect(said()).toEqual(['search goes by words alone: no embeddings'])
    // It rests: further searches do not ask.
    service.work()
    const asked = service.received.length
    await find('q=german')
    expect(service.received).toHaveLength(asked)
    world.wallClock.advance(3600)
    expect((await find(query)).names).toContain('Redline')
    expect(await gauge('search_embeddings_failing')).toBe(0)
  })

  test('a service that is too slow is not waited for', async () => {
    service.respondWith(silence)
    const hasty = await startMeaning({ ports: () => ({ meaningWaitMs: 1 }) })
    expect(await find('q=proofread', hasty)).toEqual(await find('q=proofread', world))
  })

  test('a search that is late because of others goes by words, and counts as no failure', async () => {
    const turn = Promise.withResolvers<Float32Array[]>()
    const asked: string[] = []
    const embeddings: EmbeddingsPort = {
      model: 'text-embedding-3-small',
      embed(texts) {
        asked.push(...texts)
        return turn.promise
      },
    }
    const busy = await startMeaning({ ports: () => ({ meaningWaitMs: 1, embeddings }) })
    await find('q=typos', busy)
    await expect.poll(() => gauge('search_embedded_agents', busy)).toBeGreaterThan(0)
    expect(await find('q=proofread', busy)).toEqual(await find('q=proofread', world))
    expect(await gauge('search_embeddings_failing', busy)).toBe(0)
    await find('q=german', busy)
    await expect.poll(() => asked).toContain('german')
    turn.resolve([Float32Array.of(1, 0, 0, 0)])
  })

  test('a text that it rejects does not take it from others', async () => {
    expect((await find(`q=proofread+${REJECTED_WORD}`)).names).toEqual([])
    expect((await find('q=vulnerabilities')).names).toEqual(['Sentry'])
    expect(said()).toEqual([])
  })
})

describe('agents', () => {
  const describeAgent = (index: number, description: string) =>
    world.db.run(sql`update agents set description = ${description} where id = ${seedId(index)}`)

  test('are embedded again when their text changes, and leave with their listing', async () => {
    await describeAgent(6, 'Keeps books. Translates them.')
    await embed(app)
    expect(service.requests().map(({ input }) => input.length)).toEqual([1])
    expect((await find('q=localise+please')).names).toEqual(['Lark', 'Lingo'])
    await world.db.run(sql`update agents set paused_by = 'OWNER' where id = ${seedId(6)}`)
    expect((await find('q=localise+please')).names).toEqual(['Lingo'])
    await embed(app)
    await find('q=localise+please')
    expect(await gauge('search_embedded_agents')).toBe(4)
  })

  test('wait while the service fails, and are not requested again and again', async () => {
    await describeAgent(2, 'Translates sites.')
    service.respondWith(respondWith(500))
    await embed(app)
    await embed(app)
    expect(service.received).toHaveLength(1)
    expect(said()).toEqual(['agents wait for embeddings'])
    service.work()
    world.wallClock.advance(60)
    await embed(app)
    expect(service.received).toHaveLength(2)
    expect(said()).toEqual(['agents wait for embeddings', 'agents are embedded again'])
  })

  test('with a text that the service rejects do not keep others out', async () => {
    await describeAgent(1, `Edits the ${REJECTED_WORD}.`)
    await describeAgent(3, 'Audits and translates contracts.')
    await embed(app)
    expect((await find('q=proofread')).names).toEqual(['Crow'])
    expect((await find('q=german')).names).toContain('Sentry')
    service.received.length = 0
    await embed(app)
    expect(service.received).toHaveLength(0)
  })

  test('are embedded again by another model, and only its vectors are compared', async () => {
    const other = await startMeaning({ environment: { ...environment, EMBEDDINGS_MODEL: 'other' } })
    expect((await find('q=proofread', other)).names).toEqual([])
    await embed(other)
    expect(service.requests().every(({ model }) => model === 'other')).toBe(true)
    expect((await find('q=proofread', other)).names).toEqual(['Crow'])
    world.wallClock.advance(60)
    expect((await find('q=proofread')).names).toEqual([])
  })
})

test('without a service none of it is there', async () => {
  expect((await world.http.inject('/metrics')).body).not.toContain('search_embed')
  await expect(world.tick('agents-embedding')).rejects.toThrow()
})
