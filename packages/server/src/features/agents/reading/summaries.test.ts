import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { createKept } from '../../../platform/fast/kept.ts'
import { versionColumnsOf } from '../lookup-store.ts'
import type { AgentVersion } from '../store.ts'
import { type AgentChange, changesBeside } from '../testing/agent-changes.ts'
import { formB, startAgents, type TestSeller } from '../testing/start-agents.ts'
import { createSummaries, KEPT_SUMMARY_BYTES } from './summaries.ts'

/** What lists show of an agent is sent again while none of it has changed, no matter who changes it: here it is never the service itself. */

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

test.each<AgentChange>([
  [
    'the profile',
    () => sql`update agents set sample_title = 'Seen' where id = ${id}`,
    { sampleTitle: 'Seen' },
  ],
  ...changesBeside({ agentId: () => id, sellerId: () => seller.ownerId }),
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

describe('of agents that were found', () => {
  const sellerVersion = () => sql`null`
  let statements = 0
  const db = {
    ...api.db,
    rows: <Row>(statement: Sql) => {
      statements += 1
      return api.db.rows<Row>(statement)
    },
  }
  const { summariesOf, allSummariesOf } = createSummaries({
    db,
    sellerVersion,
    keptSummaries: createKept({ maxBytes: KEPT_SUMMARY_BYTES }),
    sellersOf: async (_, ownerIds) =>
      new Map(ownerIds.map((ownerId) => [ownerId, { walletAddress: '0x1', verifiedBusiness: null }])),
  })
  const find = () =>
    api.db.rows<AgentVersion>(sql`select ${versionColumnsOf(sellerVersion)} from agents order by id`)
  const readingsOf = async (found: AgentVersion[]) => {
    statements = 0
    await summariesOf(found)
    return statements
  }

  test('one statement reads those that are not kept, and none those that are', async () => {
    expect(await readingsOf(await find())).toBe(1)
    expect(await readingsOf(await find())).toBe(0)
    await api.db.run(sql`update agents set sample_title = 'Another' where id = ${id}`)
    expect(await readingsOf(await find())).toBe(1)
    expect(await readingsOf(await find())).toBe(0)
  })

  test('one that is taken off the lists meanwhile is left out, except where all are wanted', async () => {
    const found = await find()
    await api.db.run(sql`update agents set paused_by = 'OWNER', sample_title = 'Gone' where id = ${id}`)
    const isThere = (shown: { id: string }[]) => shown.some((agent) => agent.id === id)
    // As it was found, it is kept: what changed since shows in the next search.
    expect(isThere(await summariesOf(found))).toBe(true)
    const unkept = found.map((agent) => ({ ...agent, rowVersion: `${agent.rowVersion} older` }))
    expect(isThere(await summariesOf(unkept))).toBe(false)
    expect(isThere(await allSummariesOf(unkept))).toBe(true)
  })
})
