import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { formB, startAgents, type TestSeller } from '../testing/start-agents.ts'

/** What lists show of an agent is sent again while none of it has changed, no matter who changes it: here it is always another process. */

const api = await startAgents()
afterAll(() => api.close())

let seller: TestSeller
let id: string
let turn = 0

beforeAll(async () => {
  seller = await api.newSeller({ quota: 2 })
  for (const name of ['Steady Stork', 'Summary Swift']) {
    const { data } = (await api.create(seller, { ...formB, name })).json()
    await api.register(data.agent.id)
    id = data.agent.id
  }
})

/** A parameter that nobody knows keeps the response out of the kept pages. */
async function search(query: string) {
  turn += 1
  const response = await api.send('GET', `/api/agents/search?${query}&turn=${turn}`)
  expect(response.statusCode).toBe(200)
  return response.json().data.agents as { id: string; name: string }[]
}

const ways = {
  'in the order of an index': 'sort=rating',
  'in the order of an index, with a filter': 'sort=price&minRating=0&maxPrice=900000000',
  'by words': 'q=summary+swift',
  'by a skill': 'skills=audits',
  'by some of the words': 'q=summary+swift+xylophone',
}

test.each<[what: string, change: () => Sql, seen: object]>([
  [
    'the profile',
    () => sql`update agents set sample_title = 'Seen' where id = ${id}`,
    { sampleTitle: 'Seen' },
  ],
  [
    'its program',
    () => sql`
      insert into agent_connections (agent_id, kind, url, sealed_secret, created_at, next_probe_at, last_seen_at)
      values (${id}, 'HTTP', 'https://example.com', '', now(), now(), '2026-01-01T00:00:00Z')`,
    { lastSeenAt: '2026-01-01T00:00:00.000Z' },
  ],
  [
    'its program again',
    () => sql`update agent_connections set last_seen_at = '2026-01-02T00:00:00Z' where agent_id = ${id}`,
    { lastSeenAt: '2026-01-02T00:00:00.000Z' },
  ],
  [
    'its program, removed',
    () => sql`delete from agent_connections where agent_id = ${id}`,
    { lastSeenAt: null },
  ],
  [
    'the seller',
    () =>
      sql`update owners set entity_type = 'COMPANY', entity_name = 'Swift Ltd' where id = ${seller.ownerId}`,
    { verifiedBusiness: 'Swift Ltd' },
  ],
])('a change of %s is seen at once, in whatever way it is found', async (_what, change, seen) => {
  const found = async (query: string) => (await search(query)).find((agent) => agent.id === id)
  for (const query of Object.values(ways)) {
    expect(await found(query), query).toBeDefined()
    expect(await found(query), query).not.toMatchObject(seen)
  }
  await api.db.run(change())
  for (const query of Object.values(ways)) expect(await found(query), query).toMatchObject(seen)
})

test('a change of one agent leaves the others as they were, in their order', async () => {
  const before = await search('sort=newest')
  await api.db.run(sql`update agents set name = 'Renamed Swift' where id = ${id}`)
  expect(await search('sort=newest')).toEqual(
    before.map((agent) => (agent.id === id ? { ...agent, name: 'Renamed Swift' } : agent)),
  )
})
