import { afterAll, describe, expect, test } from 'vitest'
import { plainAgent, seedAgents, seedId } from '../testing/seed-agents.ts'
import { startAgents } from '../testing/start-agents.ts'

const api = await startAgents()
afterAll(() => api.close())

/** Forty-five in two categories; several share a moment, so that only the id distinguishes them. */
const seeded = Array.from({ length: 45 }, (_, index) => ({
  ...plainAgent,
  id: seedId(index),
  category: index % 3 === 0 ? 'Finance' : 'art',
  reviewCount: 1,
  ratingSum: (index % 5) + 1,
  createdAt: new Date(Date.UTC(2026, 10, 1, 0, 0, Math.floor(index / 4))),
  // Every ninth owes work that was paid for.
  undeliveredJobs: index % 9 === 8 ? 1 : 0,
  online: [true, false, null, null][index % 4] ?? null,
}))
const hidden = [
  { ...plainAgent, id: seedId(100), isApproved: false },
  { ...plainAgent, id: seedId(101), isPaused: true },
]
await seedAgents(api.db, [...seeded, ...hidden])

interface Page {
  data: { id: string; category: string; averageRating: number }[]
  nextCursor: string | null
}

async function readAll(filter: string, limit: number): Promise<Page['data']> {
  const found: Page['data'] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const next: string = cursor === '' ? '' : `&cursor=${cursor}`
    const response = await api.send('GET', `/api/agents?limit=${limit}${filter}${next}`)
    expect(response.statusCode).toBe(200)
    const page: Page = response.json()
    expect(page.data.length).toBeLessThanOrEqual(limit)
    found.push(...page.data)
    cursor = page.nextCursor
  }
  return found
}

const newest = seeded.toReversed()
const newestFirst = [
  ...newest.filter(({ undeliveredJobs }) => undeliveredJobs === 0),
  ...newest.filter(({ undeliveredJobs }) => undeliveredJobs > 0),
].map(({ id }) => id)

describe('200', () => {
  test.each([1, 7, 20, 45, 100])(
    'pages of %i show each listed agent once, newest first, and those that owe work last',
    async (limit) => {
      expect((await readAll('', limit)).map(({ id }) => id)).toEqual(newestFirst)
    },
  )

  test('20 by default', async () => {
    const { data, nextCursor } = (await api.send('GET', '/api/agents')).json()
    expect(data).toHaveLength(20)
    expect(nextCursor).not.toBeNull()
  })

  test('by category in any letter case, and by reputation', async () => {
    const finance = await readAll('&category=FINANCE', 4)
    expect(finance).toHaveLength(15)
    expect(finance.every(({ category }) => category === 'Finance')).toBe(true)
    const good = await readAll('&minReputation=4', 5)
    expect(good).toHaveLength(18)
    expect(good.every(({ averageRating }) => averageRating >= 4)).toBe(true)
    expect(await readAll('&category=nothing', 5)).toEqual([])
  })

  test.each([true, false])('by online=%s, without those of which nothing is known', async (online) => {
    const expected = newestFirst.filter((id) => seeded.find((agent) => agent.id === id)?.online === online)
    const found = await readAll(`&online=${online}`, 5)
    expect(found.map(({ id }) => id)).toEqual(expected)
    expect(expected.length).toBeGreaterThan(10)
  })

  test('a new agent between two pages neither repeats nor hides another', async () => {
    const first: Page = (await api.send('GET', '/api/agents?limit=10')).json()
    const late = { ...plainAgent, id: seedId(200), createdAt: new Date(Date.UTC(2026, 10, 2)) }
    await seedAgents(api.db, [late])
    const second: Page = (await api.send('GET', `/api/agents?limit=10&cursor=${first.nextCursor}`)).json()
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(newestFirst.slice(0, 20))
  })
})

describe('400', () => {
  const statusOf = async (query: string) => (await api.send('GET', `/api/agents?${query}`)).statusCode

  test('for a cursor that was changed, cut, made up, or given out for another filter', async () => {
    const { nextCursor }: Page = (await api.send('GET', '/api/agents?limit=5&category=art')).json()
    const cursor = nextCursor ?? ''
    expect(await statusOf(`limit=5&category=art&cursor=${cursor}`)).toBe(200)
    expect(await statusOf(`limit=9&category=ART&cursor=${cursor}`)).toBe(200)
    const forged = Buffer.from(cursor, 'base64url')
    for (let place = 0; place < forged.length; place += 1) {
      const changed = Buffer.from(forged)
      changed[place] = (changed[place] ?? 0) ^ 1
      expect(await statusOf(`limit=5&category=art&cursor=${changed.toString('base64url')}`)).toBe(400)
    }
    for (const bad of [
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      'x',
      'e30',
      '%00',
      encodeURIComponent('{"id":1}'),
    ]) {
      expect(await statusOf(`limit=5&category=art&cursor=${bad}`)).toBe(400)
    }
    expect(await statusOf(`limit=5&cursor=${cursor}`)).toBe(400)
    expect(await statusOf(`limit=5&category=finance&cursor=${cursor}`)).toBe(400)
    expect(await statusOf(`limit=5&category=art&minReputation=1&cursor=${cursor}`)).toBe(400)
  })

  test('for limits and ratings out of range', async () => {
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'minReputation=6', 'minReputation=-1']) {
      expect(await statusOf(query)).toBe(400)
    }
  })
})
