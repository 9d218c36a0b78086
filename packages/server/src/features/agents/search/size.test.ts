import { afterAll, describe, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { seedOwner } from '../testing/seed-agents.ts'
import { startAgents } from '../testing/start-agents.ts'
import { searchLimits } from './query.ts'
import { createAgentSearch } from './search.ts'

const api = await startAgents()
afterAll(() => api.close())

const search = async (query: object) => {
  const response = await api.send('GET', `/api/agents/search?${new URLSearchParams({ ...query })}`)
  expect(response.statusCode).toBe(200)
  return response.json().data
}

const COUNT = 10_050
const RARE_EVERY = 5

/** More than are counted one by one; every fifth also has a rarer word, and more of those than are ranked. */
const ownerId = await seedOwner(api.db)
await api.db.run(sql`
  insert into agents (id, owner_id, wallet_address, provider_wallet_id, name, description, category, category_key,
    skills, skill_keys, services, lowest_price_micro, x402_enabled, owner_active, approval_status, score, created_at)
  select 'c' || lpad(n::text, 24, '0'), ${ownerId}, '0x' || lpad(to_hex(n), 40, '0'), n::text, 'Agent ' || n,
    case when n % ${RARE_EVERY}::integer = 0 then 'common seldom' else 'common' end
      || case when n % 2 = 0 then ' heron' else ' otter' end, 'bulk', 'bulk', '{}', '{}', '[]', n, n % 2 = 0,
    true, 'APPROVED', 1 + n % 100 / 25.0, '2026-01-01'::timestamptz + n * interval '1 second'
  from generate_series(1, ${COUNT}::integer) n`)
await api.db.run(sql`analyze agents`)
await api.db.run(sql`analyze agent_listings`)

test('totals are exact without filters, by type and by one word, up to 10,000 with any filter, and estimates beyond', async () => {
  const totalOf = async (query: object) => {
    const { total, totalIsEstimate } = await search({ limit: 1, ...query })
    return { total, totalIsEstimate }
  }
  expect(await totalOf({})).toEqual({ total: COUNT, totalIsEstimate: false })
  expect(await totalOf({ type: 'BULK' })).toEqual({ total: COUNT, totalIsEstimate: false })
  expect(await totalOf({ x402Enabled: true })).toEqual({ total: COUNT / 2, totalIsEstimate: false })
  expect(await totalOf({ maxPrice: '10000' })).toEqual({ total: 10_000, totalIsEstimate: false })
  expect(await totalOf({ q: 'common' })).toEqual({ total: COUNT, totalIsEstimate: false })
  const many = await totalOf({ q: 'common agent' })
  expect(many.totalIsEstimate).toBe(true)
  expect(many.total).toBeGreaterThan(10_000)
  expect(many.total).toBeLessThan(2 * COUNT)
})

const sellerVersion = () => sql`null`

describe('with lower limits', () => {
  const searchLow = createAgentSearch({
    searchDb: api.db,
    sellerVersion,
    limits: { exactTotal: 1_000, ranked: 500 },
  })

  test('words that clearly more agents have together are not counted, in any order', async () => {
    for (const sort of [undefined, 'price'] as const) {
      const found = await searchLow({ q: 'common heron', ...(sort && { sort }), limit: 5 })
      expect(found.totalIsEstimate).toBe(true)
      expect(found.total).toBeGreaterThan(COUNT / 3)
      expect(found.total).toBeLessThan(COUNT)
      expect(found.rows).toHaveLength(5)
    }
  })

  test('frequent words that no agent has together are found apart', async () => {
    const { total, totalIsEstimate, fullMatches, rows } = await searchLow({ q: 'heron otter', limit: 5 })
    expect([totalIsEstimate, fullMatches]).toEqual([false, 0])
    expect(total).toBe(500)
    expect(rows).toHaveLength(5)
  })
})

test('a page deep down holds what belongs there', async () => {
  const { agents } = await search({ sort: 'price', limit: 20, offset: COUNT - 10 })
  expect(agents.map(({ name }: { name: string }) => Number(name.slice('Agent '.length)))).toEqual(
    Array.from({ length: 10 }, (_, index) => COUNT - 9 + index),
  )
  expect((await search({ offset: 1_000_000 })).agents).toEqual([])
})

test('behind the ranked matches the rest follows without a gap or a repeat', async () => {
  const matches = COUNT / RARE_EVERY
  expect(matches).toBeGreaterThan(searchLimits.ranked)
  const ids = new Set<string>()
  for (let offset = 0; offset < matches; offset += 90) {
    const { agents, total } = await search({ q: 'seldom', limit: 90, offset })
    expect(total).toBe(matches)
    for (const { id } of agents) ids.add(id)
  }
  expect(ids.size).toBe(matches)
})

test('the first pages in order are planned once, and not again for each search', async () => {
  // A connection knows its own plans alone.
  const plans = await api.db.transaction(async (tx) => {
    const searchThere = createAgentSearch({ searchDb: { ...api.db, ...tx }, sellerVersion })
    for (let turn = 0; turn < 10; turn += 1) {
      await searchThere({ type: 'bulk', limit: 20, offset: turn })
      await searchThere({ sort: 'newest', limit: 20, offset: turn })
    }
    return tx.rows<{ customPlans: bigint }>(sql`
      select custom_plans from pg_prepared_statements
      where statement like '%nearest%' and generic_plans + custom_plans >= 10`)
  })
  // PostgreSQL plans the first five times for the values, and then no more unless that would be cheaper.
  expect(plans).toEqual([{ customPlans: 5n }, { customPlans: 5n }])
})
